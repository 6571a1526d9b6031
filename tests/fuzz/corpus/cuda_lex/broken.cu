#if X
#else
#else
)}]( { f(a; "open
/* R"( '\ <:%:%: ->* <<< >>>=
#define
#include <x
