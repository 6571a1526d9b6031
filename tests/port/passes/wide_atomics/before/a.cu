struct alignas(16) Slot {
  unsigned long long key, value;
};

__device__ bool insert(Slot* table, Slot empty, Slot mine, uint4* words, int4 old) {
  Slot found = atomicCAS(&table[3], empty, mine);  // reports: HP202
  atomicExch(words, *words);                       // reports: HP202
  atomicExch((ulonglong2*)table, {1, 2});          // reports: HP202
  atomicExch(&table[3].key, 5ull);
  atomicCAS((unsigned long long*)words, 1ull, 2ull);
  unsigned count = atomicCAS((unsigned*)&old, 0u, 1u);
  return found.key == empty.key && count == 0;
}
