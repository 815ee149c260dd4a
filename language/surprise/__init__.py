"""How surprising a turn is: estimators of the bits that its words carry."""
