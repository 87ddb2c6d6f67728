package stats

import (
	"errors"
	"fmt"
	"math"
)

// Fit is a power law y = C * x^Exponent, fitted by least squares to the
// logarithms of both.
type Fit struct {
	// Exponent is the slope in the log-log plane, with its 95 % interval by Student's t
	// with N-2 degrees of freedom. The interval measures the scatter about a straight
	// line. It does not show that a straight line is right: look at R2 and the figure.
	Exponent, Lo, Hi float64
	// Intercept is the natural logarithm of C.
	Intercept float64
	// R2 is the share of the variance of log y that the line explains; 1 if log y does
	// not vary.
	R2 float64
	N  int
}

// The errors of Growth, which wraps them with the given values.
var (
	ErrFewPoints   = errors.New("a growth exponent takes at least three points")
	ErrNotPositive = errors.New("a growth exponent takes positive, finite values")
	ErrSameX       = errors.New("a growth exponent takes more than one x")
)

// Growth fits a power law to the points (x[i], y[i]). Equal points in equal order give the
// same result on the same kind of processor. Between kinds math.Log, and so the fit, may
// differ in the last bit.
func Growth(x, y []float64) (Fit, error) {
	if len(x) != len(y) {
		return Fit{}, fmt.Errorf("stats: %d values of x but %d of y", len(x), len(y))
	}
	if len(x) < 3 {
		return Fit{}, fmt.Errorf("stats: %w, not %d", ErrFewPoints, len(x))
	}
	logX, err := logs("x", x)
	if err != nil {
		return Fit{}, err
	}
	logY, err := logs("y", y)
	if err != nil {
		return Fit{}, err
	}
	fit, ok := line(logX, logY)
	if !ok {
		return Fit{}, fmt.Errorf("stats: %w: all are %v", ErrSameX, x[0])
	}
	return fit, nil
}

// logs returns the natural logarithms of the values.
func logs(name string, values []float64) ([]float64, error) {
	out := make([]float64, len(values))
	for i, v := range values {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("stats: %w: %s[%d] is %v", ErrNotPositive, name, i, v)
		}
		out[i] = math.Log(v)
	}
	return out, nil
}

// line fits y = Intercept + Exponent*x by ordinary least squares; false if all x are equal.
func line(x, y []float64) (f Fit, ok bool) {
	meanX, meanY, sxx, sxy, syy := products(x, y)
	if sxx == 0 {
		return f, false
	}
	f = Fit{N: len(x), Exponent: sxy / sxx, R2: 1}
	f.Intercept = meanY - float64(f.Exponent*meanX)

	residual := residuals(x, y, meanX, meanY, f.Exponent)
	if syy > 0 {
		f.R2 = max(0, 1-residual/syy)
	}
	df := f.N - 2
	half := float64(student95(df) * math.Sqrt(residual/float64(df)/sxx))
	f.Lo, f.Hi = f.Exponent-half, f.Exponent+half
	return f, true
}

// products returns the means, and the sums of the products of the deviations from them.
func products(x, y []float64) (meanX, meanY, sxx, sxy, syy float64) {
	meanX, _ = moments(x)
	meanY, _ = moments(y)
	for i := range x {
		dx, dy := x[i]-meanX, y[i]-meanY
		sxx += float64(dx * dx)
		sxy += float64(dx * dy)
		syy += float64(dy * dy)
	}
	return meanX, meanY, sxx, sxy, syy
}

// residuals returns the sum of the squared distances from the line, point by point: in
// syy - slope*sxy a good fit would cancel all digits.
func residuals(x, y []float64, meanX, meanY, slope float64) float64 {
	var sum float64
	for i := range x {
		r := (y[i] - meanY) - float64(slope*(x[i]-meanX))
		sum += float64(r * r)
	}
	return sum
}
