#define CAT(a, b) a##b
#define CALL(name) cuda##name  // reports: HP205

void run(void** memory) {
  CAT(cuda, Malloc)(memory, 4);  // reports: HP205
  CALL(Malloc)(memory, 4);  // reports: HP205
}
