// What is known of types at compile time, for kernels on all devices: it stands in front of them and includes nothing.

namespace __tessera {

template <class T, class U>
constexpr bool same = false;
template <class T>
constexpr bool same<T, T> = true;

template <class T>
constexpr bool is_floating = same<T, float> || same<T, double>;
template <class T>
constexpr bool is_integer =
    same<T, bool> || same<T, char> || same<T, signed char> || same<T, unsigned char> || same<T, short> ||
    same<T, unsigned short> || same<T, int> || same<T, unsigned> || same<T, long> || same<T, unsigned long> ||
    same<T, long long> || same<T, unsigned long long>;
template <class T>
constexpr bool is_arithmetic = is_integer<T> || is_floating<T>;

}  // namespace __tessera

// A parameter's own type, or that of what it points at. Used behind the kernel's text, where a macro may have any plain
// name.
template <class T>
struct __tessera_target {
  using __tessera_type = T;
};
template <class T>
struct __tessera_target<T*> {
  using __tessera_type = T;
};
