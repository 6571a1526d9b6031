name = "a module of the project"  # reports: HP101
