#include "tessera/linop/leaf/identity.h"

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::linop {
namespace {

class identity_leaf final : public leaf {
 public:
  explicit identity_leaf(const dims& d) : leaf("identity", {d, d}) {}
  void run(const leaf_call& call, bool) const override {
    step s = call.make_step();
    factor f = call.batch_of_x();
    for (std::size_t k = 0; k < call.x.size(); ++k) f.at.push_back(affine::of(call.batch + k));
    s.factors.push_back(std::move(f));
    call.run(std::move(s));
  }
  [[nodiscard]] bool is_step() const override { return true; }
  [[nodiscard]] std::shared_ptr<const leaf> narrowed(const std::vector<std::pair<dim, axis_range>>&) const override {
    return std::make_shared<identity_leaf>(dimensions().in);
  }
  [[nodiscard]] bool is_self_adjoint() const override { return true; }
  [[nodiscard]] bool is_identity() const override { return true; }
  [[nodiscard]] std::optional<op> normal(bool) const override { return make_leaf<identity_leaf>(dimensions().in); }
};

class zero_leaf final : public leaf {
 public:
  zero_leaf(const signature& s, const named_sizes& sizes) : leaf("zero", s) { know_all(sizes); }
  void run(const leaf_call& call, bool) const override { call.run(call.make_step()); }
  [[nodiscard]] bool is_step() const override { return true; }
};

/// Of x, the part that `part_leaf` names.
class part_leaf final : public leaf {
 public:
  enum class kind : std::uint8_t { real, imaginary, conjugate };
  part_leaf(kind part, const dims& d)
      : leaf(part == kind::real        ? "real"
             : part == kind::imaginary ? "imag"
                                       : "conj",
             {d, d}),
        part_(part) {}

  [[nodiscard]] scalar_kind result_kind(scalar_kind from, bool is_adjoint) const override {
    if (part_ == kind::conjugate) return from;
    return is_adjoint ? complex_of(from) : real_of(from);
  }
  void run(const leaf_call& call, bool is_adjoint) const override {
    step s = call.make_step();
    factor f = call.batch_of_x();
    for (std::size_t k = 0; k < call.x.size(); ++k) f.at.push_back(affine::of(call.batch + k));
    f.is_conjugated = part_ == kind::conjugate;
    if (part_ != kind::conjugate)
      f.of = part_ == kind::real || is_adjoint ? factor::part::real : factor::part::imaginary;
    // i y is what the imaginary part comes from; where the result is real, as for real x, nothing does.
    if (part_ == kind::imaginary && is_adjoint) s.alpha *= std::complex<double>(0, 1);
    s.factors.push_back(std::move(f));
    call.run(std::move(s));
  }
  [[nodiscard]] bool is_step() const override { return true; }
  [[nodiscard]] std::shared_ptr<const leaf> narrowed(const std::vector<std::pair<dim, axis_range>>&) const override {
    return std::make_shared<part_leaf>(part_, dimensions().in);
  }
  [[nodiscard]] bool is_complex_linear() const override { return false; }
  [[nodiscard]] bool is_self_adjoint() const override { return part_ == kind::conjugate; }
  [[nodiscard]] std::optional<op> normal(bool) const override {
    if (part_ != kind::conjugate) return std::nullopt;
    return identity(dimensions().in.empty() ? "" : to_string(dimensions().in));
  }

 private:
  kind part_;
};

}  // namespace

op identity(std::string_view dimensions) { return make_leaf<identity_leaf>(parse_dims(dimensions, "identity")); }

op scalar(std::complex<double> factor, std::string_view dimensions) { return scaled(factor, identity(dimensions)); }

op zero(std::string_view dimensions, const named_sizes& sizes) {
  const auto [in, out] = parse_arrow(dimensions, "zero");
  return make_leaf<zero_leaf>(signature{in, out}, sizes);
}

op real(std::string_view dimensions) {
  return make_leaf<part_leaf>(part_leaf::kind::real, parse_dims(dimensions, "real"));
}
op imag(std::string_view dimensions) {
  return make_leaf<part_leaf>(part_leaf::kind::imaginary, parse_dims(dimensions, "imag"));
}
op conj(std::string_view dimensions) {
  return make_leaf<part_leaf>(part_leaf::kind::conjugate, parse_dims(dimensions, "conj"));
}

}  // namespace tessera::linop
