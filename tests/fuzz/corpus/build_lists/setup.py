import os
sources = ["a.cu", os.path.join(root, "d", "c.cu")]
if torch.version.hip:
    sources += glob.glob("b*.cu")
setup(ext_modules=[CUDAExtension("x", sources=sources + ["b.cu"])])
