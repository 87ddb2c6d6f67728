package berkeley

// Parts that tests look at by themselves.
var (
	Agreeing = agreeing
	Mean     = mean
)
