import tidy

print(tidy.double(21))
