#include "tessera/linop/step/text.h"

#include <algorithm>

#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::linop {
namespace {

char type_letter(scalar_kind kind) {
  switch (kind) {
    case scalar_kind::float64:
      return 'd';
    case scalar_kind::complex64:
      return 'c';
    case scalar_kind::complex128:
      return 'z';
    default:
      return 'f';
  }
}

bool is_wide_kind(scalar_kind kind) { return kind == scalar_kind::float64 || kind == scalar_kind::complex128; }

/// Writes the kernel line by line.
class text_writer {
 public:
  explicit text_writer(const step_form& form) : form_(form), at_(form) {}

  std::string write() {
    head();
    indices();
    values("o", form_.inner_quotients, form_.inner_guards, false);
    text_ += "  R sr = 0, si = 0;\n";
    sums();
    store();
    return text_ + "}\n";
  }

 private:
  [[nodiscard]] static std::string number(int place) { return cat("p.n[", place, "]"); }
  [[nodiscard]] std::string variable(int v) const {
    if (v < at_.axes) return cat("v", v);
    return v < at_.loops ? cat("r", v - at_.axes) : cat("q", v - at_.loops);
  }

  /// The sum of numbers from `place` on times variables [begin, end).
  [[nodiscard]] std::string sum_of(int place, int begin, int end) const {
    std::string made;
    for (int v = begin; v < end; ++v) made += cat(made.empty() ? "" : " + ", number(place + v), " * ", variable(v));
    return made.empty() ? "0" : made;
  }

  void head() {
    text_ += cat("struct linop_numbers { long long n[", at_.count(), "]; };\n",
                 "__device__ static long long linop_floor(long long a, long long b) { return a / b - (a % b < 0); }\n",
                 "__global__ void linop_step(linop_numbers p, double2 alpha, double2 beta, ",
                 type_text(form_.result.type), "* y");
    for (std::size_t f = 0; f < form_.factors.size(); ++f)
      text_ += cat(", const ", type_text(form_.factors[f].type), "* a", f);
    text_ += cat(") {\n  typedef ", form_.is_wide() ? "double" : "float", " R;\n");
  }

  void indices() {
    const int n = form_.axes;
    text_ += cat("  const long long v", n - 1, " = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n  if (v", n - 1,
                 " >= ", number(n - 1), ") return;\n");
    if (n > 1)
      text_ += cat("  const long long v", n - 2, " = blockIdx.y * (long long)blockDim.y + threadIdx.y;\n  if (v", n - 2,
                   " >= ", number(n - 2), ") return;\n");
    if (n < 3) return;
    text_ += "  long long z = blockIdx.z * (long long)blockDim.z + threadIdx.z;\n";
    for (int v = n - 3; v > 0; --v)
      text_ += cat("  const long long v", v, " = z % ", number(v), ";\n  z /= ", number(v), ";\n");
    text_ += cat("  const long long v0 = z;\n  if (v0 >= ", number(0), ") return;\n");
  }

  /// Those quotients and guards that depend on summed loops, or those that do not.
  void values(const std::string& name, const std::vector<bool>& quotients, const std::vector<bool>& guards,
              bool inner) {
    for (int q = 0; q < at_.quotients; ++q)
      if (quotients[index(q)] == inner) {
        const int place = at_.quotient(q);
        const std::string sum = cat(sum_of(place, 0, inner ? at_.loops : at_.axes), " + ", number(place + at_.loops));
        const std::string divisor = number(place + at_.loops + 1);
        text_ += form_.comparisons[index(q)]
                     ? cat("  const long long q", q, " = ", sum, " >= ", divisor, ";\n")
                     : cat("  const long long q", q, " = linop_floor(", sum, ", ", divisor, ");\n");
      }
    std::string condition;
    for (int g = 0; g < at_.guards; ++g)
      if (guards[index(g)] == inner) {
        const int place = at_.guard(g);
        text_ +=
            cat("  const long long g", g, " = ", guard_sum(place, inner), " + ", number(place + at_.variables), ";\n");
        condition +=
            cat(condition.empty() ? "" : " && ", "g", g, " >= 0 && g", g, " < ", number(place + at_.variables + 1));
      }
    text_ += cat("  const bool ", name, " = ", condition.empty() ? "true" : condition, ";\n");
  }

  /// Of outer guards without loops and quotients that depend on sums: their numbers are 0.
  [[nodiscard]] std::string guard_sum(int place, bool inner) const {
    std::string made = sum_of(place, 0, inner ? at_.loops : at_.axes);
    for (int q = 0; q < at_.quotients; ++q)
      if (inner || !form_.inner_quotients[index(q)]) made += cat(" + ", number(place + at_.loops + q), " * q", q);
    return made;
  }

  void sums() {
    if (form_.factors.empty()) return;
    for (int f = 0; f < at_.factors; ++f) text_ += cat("  const long long b", f, " = ", outer_place(f), ";\n");
    text_ += "  if (o) {\n";
    for (int s = 0; s < form_.sums; ++s)
      text_ += cat("  for (long long r", s, " = 0; r", s, " < ", number(at_.axes + s), "; ++r", s, ") {\n");
    values("i", form_.inner_quotients, form_.inner_guards, true);
    text_ += "  if (i) {\n";
    for (int f = 0; f < at_.factors; ++f) load(f);
    product();
    text_ += "  }\n";
    for (int s = 0; s < form_.sums; ++s) text_ += "  }\n";
    text_ += "  }\n";
  }

  [[nodiscard]] std::string outer_place(int f) const {
    const int place = at_.factor(f), last = at_.axes - 1;
    std::string made = cat(number(place + at_.variables), " + ", sum_of(place, 0, last));
    const step_form::along x = form_.factors[index(f)].x;
    if (x == step_form::along::unit) made += cat(" + v", last);
    if (x == step_form::along::any) made += cat(" + ", number(place + last), " * v", last);
    return made;
  }

  void load(int f) {
    const step_form::operand& a = form_.factors[index(f)];
    const int place = at_.factor(f);
    std::string element = cat("a", f, "[b", f);
    for (int v = at_.axes; v < at_.variables; ++v) element += cat(" + ", number(place + v), " * ", variable(v));
    element += "]";
    if (!a.is_complex() && a.of != factor::part::imaginary) {
      text_ += cat("  const R x", f, "r = (R)", element, has_parts(a.type) ? ".x" : "", ";\n");
      return;
    }
    if (a.of == factor::part::imaginary) {
      text_ +=
          has_parts(a.type) ? cat("  const R x", f, "r = (R)", element, ".y;\n") : cat("  const R x", f, "r = 0;\n");
      return;
    }
    text_ += cat("  const ", type_text(a.type), " e", f, " = ", element, ";\n  const R x", f, "r = (R)e", f, ".x, x", f,
                 "i = ", a.is_conjugated ? "-" : "", "(R)e", f, ".y;\n");
  }

  static bool has_parts(scalar_kind kind) { return kind == scalar_kind::complex64 || kind == scalar_kind::complex128; }

  void product() {
    std::string re = "x0r", im = form_.factors[0].is_complex() ? "x0i" : "";
    for (std::size_t f = 1; f < form_.factors.size(); ++f) {
      const std::string fr = cat("x", f, "r"), fi = cat("x", f, "i"), pr = cat("p", f, "r"), pi = cat("p", f, "i");
      const bool is_complex = form_.factors[f].is_complex();
      if (is_complex && !im.empty())
        text_ += cat("  const R ", pr, " = ", re, " * ", fr, " - ", im, " * ", fi, ", ", pi, " = ", re, " * ", fi,
                     " + ", im, " * ", fr, ";\n");
      else if (is_complex)
        text_ += cat("  const R ", pr, " = ", re, " * ", fr, ", ", pi, " = ", re, " * ", fi, ";\n");
      else if (!im.empty())
        text_ += cat("  const R ", pr, " = ", re, " * ", fr, ", ", pi, " = ", im, " * ", fr, ";\n");
      else
        text_ += cat("  const R ", pr, " = ", re, " * ", fr, ";\n");
      if (is_complex || !im.empty()) im = pi;
      re = pr;
    }
    text_ += cat("  sr += ", re, ";\n");
    if (!im.empty()) text_ += cat("  si += ", im, ";\n");
  }

  void store() {
    const int place = at_.result(), last = at_.axes - 1;
    text_ += cat("  ", type_text(form_.result.type), "* const to = y + ", sum_of(place, 0, last), " + ",
                 form_.result.x == step_form::along::unit ? cat("v", last) : cat(number(place + last), " * v", last),
                 ";\n  const R ar = (R)alpha.x, ai = (R)alpha.y;\n");
    text_ +=
        "  R yr, yi = 0;\n  if (ai == 0) {\n    yr = ar * sr;\n    yi = ar * si;\n  } else {\n"
        "    yr = ar * sr - ai * si;\n    yi = ar * si + ai * sr;\n  }\n";
    const bool is_complex = has_parts(form_.result.type);
    if (form_.reads_result && is_complex)
      text_ +=
          "  const R br = (R)beta.x, bi = (R)beta.y, zr = (R)to->x, zi = (R)to->y;\n  if (bi == 0) {\n"
          "    yr += br * zr;\n    yi += br * zi;\n  } else {\n    yr += br * zr - bi * zi;\n"
          "    yi += br * zi + bi * zr;\n  }\n";
    else if (form_.reads_result)
      text_ += "  yr += (R)beta.x * (R)*to;\n";
    if (is_complex)
      text_ += cat("  to->x = (", is_wide_kind(form_.result.type) ? "double" : "float", ")yr;\n  to->y = (",
                   is_wide_kind(form_.result.type) ? "double" : "float", ")yi;\n");
    else
      text_ += cat("  *to = (", type_text(form_.result.type), ")yr;\n  (void)yi;\n");
  }

  const step_form& form_;
  const step_numbers at_;
  std::string text_;
};

}  // namespace

const char* type_text(scalar_kind kind) {
  switch (kind) {
    case scalar_kind::float64:
      return "double";
    case scalar_kind::complex64:
      return "float2";
    case scalar_kind::complex128:
      return "double2";
    default:
      return "float";
  }
}

bool step_form::operand::is_complex() const {
  return of == factor::part::whole && (type == scalar_kind::complex64 || type == scalar_kind::complex128);
}

bool step_form::is_wide() const {
  return is_wide_kind(result.type) ||
         std::any_of(factors.begin(), factors.end(), [](const operand& a) { return is_wide_kind(a.type); });
}

bool step_form::sum_is_complex() const {
  return std::any_of(factors.begin(), factors.end(), [](const operand& a) { return a.is_complex(); });
}

std::string step_form::key() const {
  std::string made =
      cat(axes, "_", sums, reads_result ? "b" : "w", type_letter(result.type), static_cast<char>(result.x));
  for (const operand& a : factors)
    made += cat("_", type_letter(a.type), static_cast<char>(a.x), a.is_conjugated ? "j" : "", static_cast<int>(a.of));
  made += "_";
  for (std::size_t q = 0; q < inner_quotients.size(); ++q)
    made += cat(inner_quotients[q] ? 'i' : 'o', comparisons[q] ? "c" : "");
  made += "_";
  for (const bool inner : inner_guards) made += inner ? 'i' : 'o';
  return made;
}

step_numbers::step_numbers(const step_form& form)
    : axes(form.axes),
      loops(form.axes + form.sums),
      quotients(static_cast<int>(form.inner_quotients.size())),
      variables(loops + quotients),
      guards(static_cast<int>(form.inner_guards.size())),
      factors(static_cast<int>(form.factors.size())) {}

std::string step_text(const step_form& form) { return text_writer(form).write(); }

}  // namespace tessera::linop
