package trial_test

import (
	"context"
	"fmt"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// One trial: a setting becomes an instance, and a worker runs it.
func Example() {
	registry := catalog.New()
	instance, err := registry.Instance(trial.Setting{
		Algorithm: "lcr", N: 8, Placement: "decreasing", Seed: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := new(trial.Worker).Run(context.Background(), instance, nil)
	leader, _ := result.Leader()
	messages, _ := result.Metric("messages")
	fmt.Println(result.Outcome, leader, "with", messages, "messages")
	for _, b := range result.Bounds {
		fmt.Println("theory:", b.Metric, b.Relation, b.Formula, "=", b.Value)
	}
	// Output:
	// elected 8 with 36 messages
	// theory: messages = sum over identities of the distance to the next better one (+ n) = 36
	// theory: messages >= 2n-1 (+ n) = 15
	// theory: messages <= n(n+1)/2 (+ n) = 36
	// theory: elected_time = n = 8
	// theory: time = n (all-terminate: 2n) = 8
}

// A setting outside the model of its algorithm is refused. With OutsideModel it runs, and
// no bound is applied.
func ExampleRegistry_Instance() {
	registry := catalog.New()
	setting := trial.Setting{Algorithm: "lcr", N: 5, Fault: "at 1ms crash 2"}
	_, err := registry.Instance(setting)
	fmt.Println(err)

	setting.OutsideModel = true
	instance, err := registry.Instance(setting)
	if err != nil {
		fmt.Println(err)
		return
	}
	result := new(trial.Worker).Run(context.Background(), instance, nil)
	fmt.Println(instance.Outside, result.Outcome, len(result.Bounds), "bounds")
	// Output:
	// the guarantees of lcr do not apply here: a process crashes; it assumes unique identities, reliable links, ring or biring, every process initiates, no crash (--outside-model runs it anyway and labels the result)
	// [a process crashes] no leader 0 bounds
}
