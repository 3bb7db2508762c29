"""Every public function, called with arguments that are right, nearly right and absurd."""
