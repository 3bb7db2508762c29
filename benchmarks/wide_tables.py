def test(*a):
    pass


def page():
    pass
