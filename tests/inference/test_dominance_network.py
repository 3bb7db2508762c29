"""Dominance under a Bayesian network: published example, brute force over all graphs, and laws."""

import functools
import itertools
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from skcompare.inference import dominance_counts, dominance_network, dominance_posterior, dominance_test
from skcompare.inference.dominance import network, structures
from tests.lawful import assert_lawful, codes

# Benavoli and de Campos (2016), Example 1: two metrics on twelve data sets
EXAMPLE_1 = [1, 2, 3, 6]
THREE = [1, 0, 1, 1, 2, 1, 3, 3]
STRUCTURES = ("search", "average", "complete", "empty")
# Draws of a test, and how many standard errors of them are an error of the code
N_DRAWS = 4000
FIVE = 5


def _network(counts, n_effective=None, structure="search", n_draws=100_000, rng=None, metrics=None):
    """The answer to counts per statement."""
    return network._network(counts, n_effective, structure, n_draws, rng, metrics)


def count_vectors(largest=20, lengths=(2, 4, 8)):
    return st.sampled_from(lengths).flatmap(
        lambda size: st.lists(st.integers(0, largest), min_size=size, max_size=size).map(np.array)
    )


@st.composite
def counts_and_graphs(draw, lengths=(2, 4, 8, 16), largest=20):
    """Counts, many of them 0, real ones too, and a graph over their metrics."""
    counts = draw(count_vectors(largest, lengths)) * draw(st.sampled_from([1.0, 0.25]))
    counts = counts * np.array(draw(st.lists(st.booleans(), min_size=counts.size, max_size=counts.size)))
    m = counts.size.bit_length() - 1
    order = draw(st.permutations(range(m)))
    chosen = draw(st.lists(st.booleans(), min_size=m * m, max_size=m * m))
    parents = [()] * m
    for place, v in enumerate(order):
        parents[v] = tuple(u for u in order[:place] if chosen[v * m + u])
    return counts, tuple(parents)


def scores_of(counts):
    """Scores of two models with these whole numbers of cases per statement."""
    m = len(counts).bit_length() - 1
    rows = [bits for bits, n in zip(itertools.product((0, 1), repeat=m), counts, strict=True) for _ in range(n)]
    return np.array(rows, dtype=float), np.full((len(rows), m), 0.5)


def table_of(counts):
    return np.asarray(counts, dtype=float).reshape((2,) * (len(counts).bit_length() - 1))


# Independent of the code: every graph, its score from the definition, its independences from numbers


def all_graphs(m):
    """All matrices of arcs that have no cycle: those of which a power vanishes."""
    arcs = [(i, j) for i in range(m) for j in range(m) if i != j]
    for chosen in itertools.product((0, 1), repeat=len(arcs)):
        matrix = np.zeros((m, m), dtype=int)
        for (i, j), present in zip(arcs, chosen, strict=True):
            matrix[i, j] = present
        if not np.linalg.matrix_power(matrix, m).any():
            yield tuple(tuple(int(i) for i in np.flatnonzero(matrix[:, j])) for j in range(m))


GRAPHS = {m: list(all_graphs(m)) for m in (1, 2, 3, 4)}


def family_counts(counts, v, parents):
    """N_ijk: cases per state of the parents (row) and of the metric (column)."""
    m = len(counts).bit_length() - 1
    table = np.zeros((2 ** len(parents), 2))
    for bits, n in zip(itertools.product((0, 1), repeat=m), counts, strict=True):
        table[sum(bits[u] << place for place, u in enumerate(parents)), bits[v]] += n
    return table


def bdeu(counts, graph):
    """Heckerman, Geiger and Chickering (1995) with an equivalent sample size of 1, from the definition."""
    score = 0.0
    for v, parents in enumerate(graph):
        for row in family_counts(counts, v, parents):
            q = 2 ** len(parents)
            score += special.gammaln(1 / q) - special.gammaln(1 / q + row.sum())
            score += sum(special.gammaln(1 / (2 * q) + n) - special.gammaln(1 / (2 * q)) for n in row)
    return score


def drawn_posterior(counts, graph, rng, n=N_DRAWS):
    """Shares of the draws of all conditional distributions in which each statement is the most probable one."""
    m = len(counts).bit_length() - 1
    joint = np.ones((n, 2**m))
    for v, parents in enumerate(graph):
        table = family_counts(counts, v, parents) + 1 / (2 * 2 ** len(parents))
        better = rng.beta(table[:, 1], table[:, 0], size=(n, len(table)))
        for k, bits in enumerate(itertools.product((0, 1), repeat=m)):
            share = better[:, sum(bits[u] << place for place, u in enumerate(parents))]
            joint[:, k] *= share if bits[v] else 1 - share
    return np.bincount(joint.argmax(axis=1), minlength=2**m) / n


def assert_close_to_draws(probabilities, standard_error, drawn, n=N_DRAWS):
    p = np.asarray(probabilities)
    error = np.sqrt(p * (1 - p) / n + standard_error**2)
    assert np.all(np.abs(drawn - p) <= FIVE * error + 1 / n)


def equivalence_class(graph):
    """Graphs with the same neighbours and the same unmarried parents are equivalent (Verma and Pearl 1990)."""
    neighbours = {frozenset((u, v)) for v, parents in enumerate(graph) for u in parents}
    colliders = {
        (frozenset(pair), v)
        for v, parents in enumerate(graph)
        for pair in itertools.combinations(parents, 2)
        if frozenset(pair) not in neighbours
    }
    return frozenset(neighbours), frozenset(colliders)


# Reference values


def test_scores_of_example_1():
    # the published Example 1, from the definition of BDeu with scipy 1.17.1 gammaln
    assert _network(EXAMPLE_1, structure="empty").score == pytest.approx(-17.3705779, abs=5e-8)
    for arc in ([[], [0]], [[1], []]):
        assert _network(EXAMPLE_1, structure=arc).score == pytest.approx(-18.9572988, abs=5e-8)


def test_example_1_without_arcs():
    # the published Example 1: products of two beta tails; T with scipy 1.17.1 optimize.minimize (SLSQP), chi2.sf
    result = _network(EXAMPLE_1)
    assert result.parents == ((), ())
    tails = [stats.beta.sf(0.5, 9.5, 3.5), stats.beta.sf(0.5, 8.5, 4.5)]
    expected = np.outer([1 - tails[0], tails[0]], [1 - tails[1], tails[1]]).ravel()
    np.testing.assert_allclose(result.probabilities, expected, rtol=1e-9)
    np.testing.assert_allclose(result.probabilities, [0.0048802, 0.0345644, 0.1188435, 0.8417119], atol=5.1e-8)
    assert result.statement == result.most_probable == (True, True)
    assert result.statistic == pytest.approx(1.3591923, abs=5e-8)
    assert result.pvalue_chi2 == pytest.approx(0.2436775, abs=5e-8)
    assert result.standard_error == 0


@pytest.mark.parametrize("structure", ["complete", [[], [0]], [[1], []]], ids=str)
def test_example_1_with_an_arc(structure):
    # the published Example 1: scipy 1.17.1 integrate.quad of gamma densities; T from the paper's formula
    result = _network(EXAMPLE_1, structure=structure)
    np.testing.assert_allclose(result.probabilities, [0.01236333, 0.05192299, 0.13750009, 0.79821359], atol=5e-9)
    assert result.statistic == pytest.approx(1.0193942, abs=5e-8)
    assert result.pvalue_chi2 == pytest.approx(0.3126627, abs=5e-8)


def test_three_metrics_without_arcs():
    # T with scipy 1.17.1 optimize.minimize (SLSQP), chi2.sf; probabilities from beta tails
    result = _network(THREE)
    assert result.parents == ((), (), ())
    assert result.score == pytest.approx(-27.0103, abs=5e-5)
    assert result.statement == (True, True, False)
    assert result.statistic == pytest.approx(0.3348939, abs=1e-7)
    assert result.pvalue_chi2 == pytest.approx(0.5627915, abs=1e-7)
    tails = [stats.beta.sf(0.5, better + 0.5, 12 - better + 0.5) for better in (9, 8, 5)]
    expected = [np.prod(np.where(bits, tails, 1 - np.array(tails))) for bits in itertools.product((0, 1), repeat=3)]
    np.testing.assert_allclose(result.probabilities, expected, rtol=1e-9)
    assert (result.probabilities[6], result.probabilities[7]) == pytest.approx((0.605, 0.237), abs=2e-3)  # by sampling


def test_three_metrics_with_all_arcs():
    # scipy 1.17.1 integrate.quad of gamma densities
    result = _network(THREE, structure="complete")
    assert (result.statement, result.statistic, result.pvalue_chi2, result.most_probable) == (None, 0, 1, None)
    expected = {0: 0.0371774, 1: 0.0012480, 4: 0.1453879}
    assert {k: result.probabilities[k] for k in expected} == pytest.approx(expected, abs=5.1e-8)
    assert result.probabilities[6] == pytest.approx(result.probabilities[7], rel=1e-12)


# The complete graph is no network, and the empty one a product


@given(counts=count_vectors(lengths=(2, 4, 8, 16)), order=st.permutations(range(4)), scale=st.sampled_from([1, 0.37]))
def test_the_complete_graph_in_any_order_is_the_test_without_a_network(counts, order, scale):
    counts = scale * counts
    m = counts.size.bit_length() - 1
    order = [v for v in order if v < m]
    structure = [[u for u in order if order.index(u) < order.index(v)] for v in range(m)]
    result, test, posterior = _network(counts, structure=structure), dominance_test(counts), dominance_posterior(counts)
    assert result.statement == test.statement
    assert result.statistic == pytest.approx(test.statistic, rel=1e-9, abs=1e-12)
    assert result.pvalue_chi2 == pytest.approx(test.pvalue_chi2, rel=1e-9)
    assert result.pvalue == pytest.approx(max(test.pvalue, test.pvalue_chi2), rel=1e-9)
    np.testing.assert_allclose(result.probabilities, posterior.probabilities, rtol=1e-9)
    assert result.most_probable == posterior.statement
    assert result.standard_error == 0
    assert codes(result) == codes(test)


@pytest.mark.parametrize("counts", [[10**6, 10**6 - 1, 5, 0], [10**6, 0, 3, 999_000], [3e5, 2e5, 0, 0]], ids=str)
def test_the_complete_graph_of_large_counts_does_not_cancel(counts):
    result, test = _network(counts, structure="complete"), dominance_test(counts)
    assert result.statistic == pytest.approx(test.statistic, rel=1e-7)
    np.testing.assert_allclose(result.probabilities, dominance_posterior(counts).probabilities, atol=1e-11)


@given(counts=count_vectors(lengths=(2, 4, 8, 16)))
def test_without_arcs_the_probabilities_are_products_of_beta_tails(counts):
    m = counts.size.bit_length() - 1
    bits = np.array(list(itertools.product((False, True), repeat=m)))
    better = bits.T @ counts
    tails = stats.beta.sf(0.5, better + 0.5, counts.sum() - better + 0.5)
    expected = np.where(bits, tails, 1 - tails).prod(axis=1)
    result = _network(counts, structure="empty")
    np.testing.assert_allclose(result.probabilities, expected, rtol=1e-8, atol=1e-12)


# The likelihood ratio


def constrained_optimum(counts, graph, winner, other, rng, n_starts=8):
    """Twice the log likelihood that ``p(winner) <= p(other)`` costs, by scipy's SLSQP from several starts."""
    m = len(counts).bit_length() - 1
    families = [family_counts(counts, v, parents) for v, parents in enumerate(graph)]
    seen = np.concatenate(families)

    def used(statement):
        bits = [statement >> (m - 1 - v) & 1 for v in range(m)]
        rows = [np.zeros_like(family) for family in families]
        for v, parents in enumerate(graph):
            rows[v][sum(bits[u] << place for place, u in enumerate(parents)), bits[v]] = 1
        return np.concatenate(rows)

    needs = used(winner) - used(other)

    def value(weights):
        return lambda t: -(weights[:, 1] @ np.log(t) + weights[:, 0] @ np.log1p(-t))

    def slope(weights):
        return lambda t: -(weights[:, 1] / t - weights[:, 0] / (1 - t))

    total = seen.sum(axis=1)
    best = np.divide(seen[:, 1], total, out=np.full(total.size, 0.5), where=total > 0)
    found = np.inf
    for _ in range(n_starts):
        start = np.clip(best + rng.normal(scale=0.2, size=best.size), 0.02, 0.98)
        solution = optimize.minimize(
            value(seen),
            start,
            jac=slope(seen),
            method="SLSQP",
            bounds=[(1e-10, 1 - 1e-10)] * best.size,
            constraints=[{"type": "ineq", "fun": value(needs), "jac": slope(needs)}],
            options={"maxiter": 500, "ftol": 1e-13},
        )
        if value(needs)(solution.x) > -1e-8:
            found = min(found, solution.fun)
    return 2 * (found + special.xlogy(seen, seen).sum() - special.xlogy(total, total).sum())


# what older releases of scipy say of their own optimiser
@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore:Values in x were outside bounds:RuntimeWarning")
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("m", [2, 3])
def test_the_statistic_is_the_constrained_optimum(m, seed):
    rng = np.random.default_rng([m, seed])
    graph = GRAPHS[m][rng.integers(len(GRAPHS[m]))]
    counts = rng.integers(0, rng.choice([2, 4, 9]), 2**m) * rng.choice([1, 0.25]) * (rng.random(2**m) < 0.8)
    result = _network(counts, structure=graph, n_draws=1)
    if result.statement is not None:
        winner = int("".join(str(int(bit)) for bit in result.statement), 2)
        others = [constrained_optimum(counts, graph, winner, k, rng) for k in range(2**m) if k != winner]
        assert result.statistic == pytest.approx(min(others), abs=2e-6)


def test_unanimous_cases_leave_the_conditionals_of_the_other_statements_free():
    # as without a network, T = 2 n ln 2
    assert _network([0, 0, 0, 6], structure="complete").statistic == pytest.approx(12 * np.log(2), rel=1e-12)


def test_a_conditional_seen_in_one_state_only_takes_up_the_gap_that_is_left():
    # by hand: 1 case moves from "better on the second" to "worse", one enters the third's cell; the only case with both
    # is used up, and its conditional pays for the rest of the gap, 4/9 against 5/9 * 3/5
    counts = [0, 0, 2, 2, 2, 2, 0, 1]
    costs = network._costs(table_of(counts), ((), (), (0, 1)), 7)
    second = 5 * np.log(5 / 4) + 4 * np.log(4 / 5)
    third = 2 * np.log((2 / 4) / (3 / 5)) + 2 * np.log((2 / 4) / (2 / 5))
    assert costs[5] == pytest.approx(second + third + np.log((4 / 9) / (5 / 9 * 3 / 5)), rel=1e-12)


def test_what_no_case_shows_can_be_had_for_nothing():
    # by hand: "better on both" has 6/11 * 5/11, more than 6/11 * 6/11 * 4/6, if the third follows from it
    result = _network([0, 0, 3, 2, 4, 2, 0, 0], structure=[[], [], [0, 1]], metrics=["a", "b", "c"], rng=0)
    assert (result.statement, result.statistic, result.pvalue_chi2, result.pvalue) == (None, 0, 1, 1)
    assert "UNCLEAR" in codes(result)
    assert "an outcome of a and b that no case shows; for it c was" in " ".join(result.warnings)


@example(case=(np.array([3.0, 0, 0, 0]), ((), (0,))))
@given(case=counts_and_graphs())
def test_what_no_case_shows_is_told_only_where_the_network_expects_it(case):
    counts, graph = case
    expected = set()
    for v, parents in enumerate(graph):
        unseen = family_counts(counts, v, parents).sum(axis=1) == 0
        for j in np.flatnonzero(unseen):
            fixed = {u: int(j) >> place & 1 for place, u in enumerate(parents)}
            if counts.any() and probability_of(counts, graph, fixed) > 0:
                expected.add(v)
    told = str(_network(counts, structure=graph, n_draws=1).warnings)
    assert told.count("that no case shows") == len(expected)


def probability_of(counts, graph, fixed):
    """Estimated probability of some metrics' states, 1/2 where there is no estimate."""
    total = 0.0
    for bits in itertools.product((0, 1), repeat=len(graph)):
        if all(bits[u] == state for u, state in fixed.items()):
            factors = []
            for v, parents in enumerate(graph):
                row = family_counts(counts, v, parents)[sum(bits[u] << place for place, u in enumerate(parents))]
                factors.append(row[bits[v]] / row.sum() if row.sum() else 0.5)
            total += np.prod(factors)
    return total


@given(case=counts_and_graphs(), factor=st.floats(0.01, 1000))
def test_the_statistic_grows_in_proportion_to_the_cases(case, factor):
    counts, graph = case
    result = _network(counts, structure=graph, n_draws=1)
    more = _network(factor * counts, structure=graph, n_draws=1)
    assert more.statistic == pytest.approx(factor * result.statistic, rel=1e-8, abs=1e-11)


@given(case=counts_and_graphs())
def test_no_record_claims_more_than_the_test_without_a_network(case):
    counts, graph = case
    result = _network(counts, structure=graph, n_draws=1)
    assert 0 <= result.pvalue_chi2 <= result.pvalue <= 1
    assert result.saturated.pvalue <= result.pvalue
    if result.statement is None or result.statement != result.saturated.statement:
        assert result.pvalue == 1
    else:
        assert result.pvalue == max(result.pvalue_chi2, result.saturated.pvalue)


def test_different_statements_with_and_without_a_network_are_told():
    # by hand: the first is better in 6 of 10 cases, the second in 3, but most often neither is
    result = _network([4, 0, 3, 3], structure="empty", metrics=["accuracy", "time"])
    assert (result.statement, result.saturated.statement) == ((True, False), (False, False))
    assert result.pvalue == 1
    assert codes(result).count("UNCLEAR") == 2
    assert "the statement tested with the network is not the one without it" in result.warnings[0]
    said = " ".join(str(result).split())
    assert said.startswith("The most frequent pattern of wins, a better on accuracy, b better on time, is not")
    assert "Without the network: The most frequent pattern of wins, b better than a on both metrics, is not" in said


# Graphs: scores, the best one, and sums over all


def test_there_are_1_3_25_and_543_graphs():
    # sequence A003024 of the On-Line Encyclopedia of Integer Sequences
    for m, number in {1: 1, 2: 3, 3: 25, 4: 543}.items():
        assert set(structures.all_structures(m)) == set(GRAPHS[m])
        assert len(GRAPHS[m]) == number


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 6, 7, 8])
def test_without_cases_the_sum_over_all_graphs_is_their_number(m):
    # A003024; every log score is 0
    number = [1, 3, 25, 543, 29281, 3781503, 1138779265, 783702329343][m - 1]
    weights = structures.structure_sum(structures.local_scores(np.zeros((2,) * m)))
    assert np.exp(weights.total) == pytest.approx(number, rel=1e-10)


@given(case=counts_and_graphs())
def test_scores_follow_the_definition(case):
    counts, graph = case
    assert _network(counts, structure=graph, n_draws=1).score == pytest.approx(bdeu(counts, graph), rel=1e-9, abs=1e-9)


@given(counts=count_vectors(lengths=(2, 4, 8, 16)))
def test_the_best_graph_and_the_sums_are_those_of_brute_force(counts):
    m = counts.size.bit_length() - 1
    scores = structures.local_scores(table_of(counts))
    totals = np.array([structures.structure_score(scores, graph) for graph in GRAPHS[m]])
    best = structures.best_structure(scores)
    assert best in GRAPHS[m]
    assert structures.structure_score(scores, best) == pytest.approx(totals.max(), rel=1e-8, abs=1e-8)
    weights = structures.structure_sum(scores)
    assert weights.total == pytest.approx(special.logsumexp(totals), rel=1e-12, abs=1e-12)
    edges = np.zeros((m, m))
    for graph, share in zip(GRAPHS[m], special.softmax(totals), strict=True):
        for j, parents in enumerate(graph):
            edges[list(parents), j] += share
    np.testing.assert_allclose(structures.edge_probabilities(weights), edges, rtol=1e-9, atol=1e-15)


def test_sums_over_graphs_stand_strong_dependence():
    # two pairs of equal metrics on 3000 cases: no graph without an arc in each pair has a weight above exp(-2000)
    counts = np.zeros(16)
    counts[[0b0000, 0b0011, 0b1100, 0b1111]] = 750
    result = _network(counts, n_draws=1)
    neighbours = result.edge_probabilities + result.edge_probabilities.T
    assert (neighbours[0, 1], neighbours[2, 3]) == pytest.approx((1, 1), rel=1e-12)
    scores = structures.local_scores(table_of(counts))
    totals = [structures.structure_score(scores, graph) for graph in GRAPHS[4]]
    assert structures.structure_sum(scores).total == pytest.approx(special.logsumexp(totals), rel=1e-12)


@pytest.mark.sampled
@pytest.mark.parametrize("counts", [THREE, [4, 0, 1, 1, 0, 1, 1, 6]], ids=str)
def test_graphs_are_drawn_in_proportion_to_their_weight(counts):
    rng = np.random.default_rng(0)
    scores = structures.local_scores(table_of(counts))
    weights = structures.structure_sum(scores)
    drawn = [structures.draw_structure(weights, rng) for _ in range(N_DRAWS)]
    for graph in GRAPHS[3]:
        p = np.exp(structures.structure_score(scores, graph) - weights.total)
        assert abs(drawn.count(graph) / N_DRAWS - p) <= FIVE * np.sqrt(p * (1 - p) / N_DRAWS) + 1 / N_DRAWS


def test_equivalent_graphs_have_one_score_and_one_statistic():
    for graphs in classes_of_graphs(3):
        results = [_network(THREE, structure=graph, n_draws=1) for graph in graphs]
        assert np.ptp([result.score for result in results]) < 1e-12
        assert np.ptp([result.statistic for result in results]) < 1e-12
        assert len({result.statement for result in results}) == 1


def test_equivalent_graphs_have_one_posterior():
    counts = [5, 0, 1, 1, 2, 1, 3, 6]
    for graphs in classes_of_graphs(3):
        results = [_network(counts, structure=graph, n_draws=N_DRAWS, rng=0) for graph in graphs]
        for result in results[1:]:
            error = np.hypot(result.standard_error, results[0].standard_error)
            assert np.abs(result.probabilities - results[0].probabilities).max() <= FIVE * error + 1e-10


def classes_of_graphs(m):
    classes = {}
    for graph in GRAPHS[m]:
        classes.setdefault(equivalence_class(graph), []).append(graph)
    assert len(classes) == {2: 2, 3: 11}[m]  # Andersson, Madigan and Perlman (1997)
    return classes.values()


# Sentences


@pytest.mark.sampled
@pytest.mark.parametrize("m", [2, 3, 4])
def test_independences_hold_in_distributions_of_the_graph_and_no_others(m):
    # with random conditionals, only what the graph implies is independent, almost surely
    for graph in GRAPHS[m]:
        joint = np.ones((2,) * m)
        for bits in itertools.product((0, 1), repeat=m):
            for v, parents in enumerate(graph):
                share = 0.1 + 0.8 * np.random.default_rng([v, *[2 + bits[u] for u in parents]]).random()
                joint[bits] *= share if bits[v] else 1 - share
        for i, j in itertools.combinations(range(m), 2):
            given = structures.separating_set(graph, i, j)
            others = [v for v in range(m) if v not in (i, j)]
            sets = [z for size in range(m - 1) for z in itertools.combinations(others, size)]
            assert given == next((z for z in sets if are_independent(joint, i, j, z)), None)


def are_independent(joint, i, j, given):
    both = joint.sum(axis=tuple(v for v in range(joint.ndim) if v not in (i, j, *given)), keepdims=True)
    one, other, neither = (
        both.sum(axis=j, keepdims=True),
        both.sum(axis=i, keepdims=True),
        both.sum((i, j), keepdims=True),
    )
    return np.abs(both * neither - one * other).max() < 1e-12


@pytest.mark.parametrize(
    ("structure", "sentences"),
    [
        ([[], [], []], ["precision and recall", "precision and f1", "recall and f1"]),
        ([[], [], [0, 1]], ["f1 depends on precision and recall", "precision and recall"]),
        ([[], [0], [1]], ["recall depends on precision", "f1 depends on recall", "precision and f1 given recall"]),
        ([[1], [], [1]], ["precision depends on recall", "f1 depends on recall", "precision and f1 given recall"]),
        ("complete", ["recall depends on precision", "f1 depends on precision and recall"]),
    ],
)
def test_dependences_in_words(structure, sentences):
    result = _network(THREE, structure=structure, n_draws=1, metrics=["precision", "recall", "f1"])
    expected = [
        text if "depends" in text else re.sub(r"^(\S+ and \S+)", r"\1 are independent", text) for text in sentences
    ]
    assert list(result.dependences()) == expected


def test_three_parents_and_a_pair_of_separating_metrics_are_listed():
    counts = np.ones(16)
    result = _network(counts, structure=[[], [], [], [0, 1, 2]], n_draws=1, metrics=list("abcd"))
    assert result.dependences()[0] == "d depends on a, b and c"
    result = _network(counts, structure=[[], [0], [0], [1, 2]], n_draws=1, metrics=list("abcd"))
    assert "a and d are independent given b and c" in result.dependences()
    assert _network([1, 2]).dependences() == ()


# The posterior


@pytest.mark.parametrize("m", [3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_posterior_agrees_with_draws_from_the_definition(m, seed):
    rng = np.random.default_rng([m, seed])
    counts = rng.integers(0, 6, 2**m)
    graph = GRAPHS[m][rng.integers(len(GRAPHS[m]))]
    result = _network(counts, structure=graph, n_draws=N_DRAWS, rng=rng)
    assert_close_to_draws(result.probabilities, result.standard_error, drawn_posterior(counts, graph, rng))


@pytest.mark.sampled
@pytest.mark.parametrize("counts", [EXAMPLE_1, THREE, [4, 0, 1, 1, 0, 1, 1, 6]], ids=str)
def test_the_average_weights_every_graph_with_its_probability(counts):
    m = len(counts).bit_length() - 1
    totals = np.array([bdeu(counts, graph) for graph in GRAPHS[m]])
    each = [_network(counts, structure=graph, n_draws=20_000, rng=0) for graph in GRAPHS[m]]
    expected = special.softmax(totals) @ [result.probabilities for result in each]
    error = max(result.standard_error for result in each)
    result = _network(counts, structure="average", rng=1)
    assert np.abs(result.probabilities - expected).max() <= FIVE * (error + result.standard_error) + 1e-10
    assert (result.standard_error == 0) == (m == 2)
    best = _network(counts, structure="search", rng=0)
    assert (result.parents, result.statistic, result.score) == (best.parents, best.statistic, best.score)


def test_the_average_over_drawn_graphs_agrees_with_that_over_all(monkeypatch):

    exact = _network(THREE, structure="average", rng=0)
    monkeypatch.setattr(network, "_ALL_GRAPHS", 0)
    drawn = _network(THREE, structure="average", rng=0)
    assert exact.standard_error < drawn.standard_error < 0.02
    error = FIVE * np.hypot(exact.standard_error, drawn.standard_error)
    assert np.abs(drawn.probabilities - exact.probabilities).max() <= error


def test_the_standard_error_is_that_of_repeated_draws():
    # chi-squared bounds at 1e-6 of the ratio of variances with 39 degrees of freedom
    chain = [[], [0], [1]]
    runs = [_network(THREE, structure=chain, n_draws=500, rng=seed) for seed in range(40)]
    spread = np.array([run.probabilities for run in runs]).std(axis=0, ddof=1).max()
    stated = np.mean([run.standard_error for run in runs])
    low, high = np.sqrt(stats.chi2.ppf([1e-6, 1 - 1e-6], 39) / 39)
    assert low * stated <= spread <= high * stated


@given(counts=count_vectors(lengths=(2, 4, 8, 16)), structure=st.sampled_from(STRUCTURES), seed=st.integers(0, 99))
def test_probabilities_add_up_to_1(counts, structure, seed):
    result = _network(counts, structure=structure, n_draws=500, rng=seed)
    assert result.probabilities.sum() == pytest.approx(1, abs=1e-10)
    assert result.probabilities.min() >= 0
    assert 0 <= result.standard_error <= 0.1
    assert np.all((result.edge_probabilities >= 0) & (result.edge_probabilities <= 1 + 1e-12))


@pytest.mark.parametrize("n_draws", [1, 10])
def test_draws_that_agree_by_chance_have_an_error(n_draws):
    result = _network([0, 0, 0, 0, 0, 0, 0, 50], structure=[[], [0], [1]], n_draws=n_draws, rng=0)
    assert result.standard_error > 0


def test_a_lead_within_the_error_of_the_draws_names_no_statement():
    # the two largest counts are equal, and so are the probabilities
    chain = [[], [0], [1]]
    result = _network([5, 0, 0, 1, 1, 0, 0, 5], structure=chain, n_draws=N_DRAWS, rng=0)
    assert result.most_probable is None
    assert "UNCLEAR" in codes(result)


# Laws


@given(case=counts_and_graphs(lengths=(2, 4, 8)), seed=st.integers(0, 99))
def test_swapping_the_models_reverses_the_result(case, seed):
    counts, graph = case
    for structure in (graph, "search", "average"):
        result = _network(counts, structure=structure, n_draws=200, rng=seed)
        swapped = _network(counts[::-1], structure=structure, n_draws=200, rng=seed)
        np.testing.assert_allclose(swapped.probabilities, result.probabilities[::-1], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(swapped.edge_probabilities, result.edge_probabilities, rtol=1e-9)
        assert swapped.parents == result.parents
        assert swapped.statistic == pytest.approx(result.statistic, rel=1e-9, abs=1e-12)
        assert swapped.pvalue == pytest.approx(result.pvalue, rel=1e-9)
        for name in ("statement", "most_probable"):
            found, reverse = getattr(result, name), getattr(swapped, name)
            assert reverse == (None if found is None else tuple(not bit for bit in found))


@given(case=counts_and_graphs(lengths=(4, 8, 16)), order=st.permutations(range(4)))
def test_other_names_for_the_metrics_change_nothing_else(case, order):
    counts, graph = case
    m = len(graph)
    order = [v for v in order if v < m]  # new metric k is the old order[k]
    moved = table_of(counts).transpose(order)
    new_graph = tuple(tuple(order.index(u) for u in graph[v]) for v in order)
    result = _network(counts, structure=graph, n_draws=500, rng=0)
    renamed = _network(moved.ravel(), structure=new_graph, n_draws=500, rng=1)
    assert renamed.score == pytest.approx(result.score, rel=1e-12, abs=1e-12)
    assert renamed.statistic == pytest.approx(result.statistic, rel=1e-9, abs=1e-12)
    if result.statement is not None:
        assert renamed.statement == tuple(result.statement[v] for v in order)
    expected = table_of(result.probabilities).transpose(order).ravel()
    error = np.hypot(result.standard_error, renamed.standard_error)
    # more than seven standard errors, as hypothesis looks for the worst case
    assert np.abs(renamed.probabilities - expected).max() <= 7.5 * error + 1e-10
    edges = result.edge_probabilities[np.ix_(order, order)]
    np.testing.assert_allclose(renamed.edge_probabilities, edges, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_a_model_does_not_differ_from_itself(m, structure):
    scores = np.random.default_rng(0).normal(size=(20, m))
    result = dominance_network(scores, scores, structure=structure, n_draws=N_DRAWS, rng=0)
    assert (result.statement, result.statistic, result.pvalue, result.most_probable) == (None, 0, 1, None)
    error = FIVE * result.standard_error
    np.testing.assert_allclose(result.probabilities, 2.0**-m, atol=error + 1e-10)


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("m", [1, 2, 3])
def test_without_cases_nothing_is_known(m, structure):
    result = _network(np.zeros(2**m), structure=structure, n_draws=N_DRAWS, rng=0)
    assert (result.statement, result.statistic, result.pvalue) == (None, 0, 1)
    np.testing.assert_allclose(result.probabilities, 2.0**-m, atol=FIVE * result.standard_error + 1e-10)
    assert codes(result)[0] == "TOO_LITTLE_DATA"
    assert "that no case shows" not in str(result.warnings)
    if structure == "search":
        assert result.parents == ((),) * m


@given(counts=count_vectors(), share=st.floats(0.01, 1))
def test_effective_cases_scale_the_counts(counts, share):
    if counts.sum():
        n_effective = share * float(counts.sum())
        result = _network(counts, structure="empty", n_effective=n_effective)
        by_hand = _network(share * counts, structure="empty")
        np.testing.assert_allclose(result.counts, share * counts, rtol=1e-12)
        assert (result.n, result.n_effective) == (counts.sum(), pytest.approx(n_effective))
        assert result.statistic == pytest.approx(by_hand.statistic, rel=1e-9, abs=1e-12)
        assert result.score == pytest.approx(by_hand.score, rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(result.probabilities, by_hand.probabilities, rtol=1e-9)
        assert result.saturated.decided_on == "midp"
        assert result.saturated.n_effective == result.saturated_posterior.n_effective == result.n_effective


def test_folds_are_said_to_be_corrected():
    result = _network([5, 10, 15, 70], n_effective=13.674)
    assert result.method == "dominance network, best graph, 13.7 effective cases"


def test_counts_are_those_of_the_scores():
    a, b = [[0.9, 1.0], [0.8, 3.0], [0.7, 2.0], [0.85, 1.0]], [[0.85, 2.0], [0.75, 2.0], [0.7, 3.0], [0.8, 2.0]]
    result = dominance_network(a, b, [True, False], rope=[0.02, 0], metrics=["accuracy", "time"])
    np.testing.assert_array_equal(result.counts, dominance_counts(a, b, [True, False], [0.02, 0]))
    assert (result.n, result.metrics) == (4, ("accuracy", "time"))
    assert result.statements[3] == "a better than b on both metrics"
    assert codes(result)[:2] == ["CANNOT_REJECT", "APPROXIMATE"]


@pytest.mark.parametrize("structure", ["average", [[], [0], [1]]], ids=str)
def test_the_same_seed_gives_the_same_numbers(structure):
    before = np.random.get_state()  # noqa: NPY002
    first, again, other = (_network(THREE, structure=structure, n_draws=999, rng=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.probabilities, again.probabilities)
    assert np.any(first.probabilities != other.probabilities)
    from_generator = _network(THREE, structure=structure, n_draws=999, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(from_generator.probabilities, first.probabilities)
    np.testing.assert_equal(np.random.get_state(), before)  # noqa: NPY002


def test_eight_metrics_are_within_reach():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(100, 1)) + rng.normal(size=(100, 8))
    result = dominance_network(scores, 0 * scores, n_draws=1000, rng=0)
    assert result.probabilities.shape == (256,)
    assert result.score >= _network(result.counts, structure="complete", n_draws=1).score
    assert result.score >= _network(result.counts, structure="empty", n_draws=1).score


# Records and bad input


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("counts", [EXAMPLE_1, [0, 0], [1, 1], [0.5, 2.5], THREE], ids=str)
def test_the_laws_of_every_record(counts, structure):
    record = assert_lawful(functools.partial(_network, structure=structure, n_draws=50), counts, rng=0)
    assert "\n" not in repr(record)


def test_the_record_prints_both_answers():
    names = ["accuracy", "time"]
    assert " ".join(str(_network(EXAMPLE_1, metrics=names)).split()).startswith(
        "The most frequent pattern of wins, a better than b on both metrics, is not significantly more frequent than "
        "every other one: dominance test p = 0.508, posterior probability 84%. Without the network: the same pattern, "
        "dominance test p = 0.508, posterior probability 80%. Method: dominance network, best graph."
    )
    # P(Beta(7.5, 4.5) > 1/2) is 0.8165786 for either metric
    assert " ".join(str(_network([4, 0, 3, 4], structure="empty", metrics=names)).split()).startswith(
        "The most frequent pattern of wins, a better on accuracy, b better on time, is not significantly more frequent "
        "than every other one: dominance test p = 1.000, posterior probability 67%. Without the network: No pattern of "
        "wins is more frequent than all others. Method: dominance network, no arcs."
    )


def test_scores_are_not_touched_and_the_record_keeps_counts_of_its_own():
    assert_lawful(dominance_network, *scores_of(THREE), rng=0)
    counts = np.array(EXAMPLE_1, dtype=float)
    assert not np.shares_memory(_network(counts, structure="complete").counts, counts)


def test_flat_scores_are_one_metric():
    result = dominance_network([0.9, 0.8, 0.7], [0.8, 0.7, 0.8])
    assert result.parents == ((),)
    assert result.probabilities[1] == pytest.approx(stats.beta.sf(0.5, 2.5, 1.5), rel=1e-9)


@pytest.mark.parametrize(
    "bad",
    [
        "best",
        "Search",
        None,
        3,
        [],
        [[]],
        [[], [], []],
        [[], [2]],
        [[], [-1]],
        [[], [0.5]],
        [[], ["accuracy"]],
        [[], [True]],
        [[], 0],
        [[0], []],
        [[1], [0]],
    ],
    ids=str,
)
def test_what_is_no_structure_is_refused_by_name(bad):
    with pytest.raises(ValueError, match=r"(^|[?] )structure must "):
        dominance_network(*scores_of(EXAMPLE_1), structure=bad)


def test_a_cycle_is_called_a_cycle_and_a_near_name_is_suggested():
    with pytest.raises(ValueError, match="must not have a cycle"):
        _network(THREE, structure=[[2], [0], [1]])
    with pytest.raises(ValueError, match="did you mean 'search'"):
        _network(THREE, structure="serch")


@pytest.mark.parametrize("structure", [np.array([[1], [2], [3]])[:, :0], ([], (), ()), [np.array([]), [], []]])
def test_arrays_and_tuples_are_structures_too(structure):
    assert _network(THREE, structure=structure).parents == ((), (), ())


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"a": [[np.nan, 1]]}, "a"),
        ({"b": [[np.inf, 1]]}, "b"),
        ({"a": [[1, 2], [1, 2]]}, "a and b"),
        ({"a": np.zeros((2, 9)), "b": np.ones((2, 9))}, "a and b"),
        ({"a": np.zeros((2, 13)), "b": np.ones((2, 13))}, "a and b"),
        ({"greater_is_better": [True]}, "greater_is_better"),
        ({"rope": -1}, "rope"),
        ({"n_effective": 2}, "n_effective"),
        ({"n_effective": -1}, "n_effective"),
        ({"n_draws": 0}, "n_draws"),
        ({"n_draws": 1.5}, "n_draws"),
        ({"n_draws": True}, "n_draws"),
        ({"rng": -1}, "rng"),
        ({"rng": "x"}, "rng"),
        ({"metrics": ["accuracy"]}, "metrics"),
        ({"metrics": ["accuracy", "accuracy"]}, "metrics"),
    ],
)
def test_bad_input_is_refused_by_name(options, name):
    arguments = {"a": [[0.9, 0.8]], "b": [[0.8, 0.9]]} | options
    with pytest.raises(ValueError, match=f"^{name} must "):
        dominance_network(**arguments)
