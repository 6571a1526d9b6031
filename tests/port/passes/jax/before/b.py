import jax  # reports: HP003
