import importlib

attention = importlib.import_module("flash_attn")  # reports: HP501
hopper = importlib.import_module("flash_attn_interface")  # reports: HP502
nvml = importlib.import_module("pynvml")  # reports: HP503
engine = importlib.import_module("tensorrt")  # reports: HP507
driver = __import__("pycuda")  # reports: HP512
