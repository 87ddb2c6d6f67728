// The workloads of docs/performance.md on the event sets of ns-3, without any network.
//
//	ns3 SCHEDULER WORKLOAD SIZE
//
// prints the digest of the deliveries and the processor time of each in ns. SCHEDULER is a
// class of ns-3, as ns3::MapScheduler. See peers_test.go.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "ns3/core-module.h"

using ns3::Simulator;

const int64_t unit = 1000000000;

static uint64_t state = 88172645463325252u;

static uint64_t draw() {
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 2685821657736338717u;
}

static int64_t table[4096];

static int64_t exponential() {
	uint64_t r = draw();
	return table[r >> 52] + int64_t(r >> 20 & 0xFFFFF);
}
static int64_t uniform() { return int64_t((draw() >> 32) * (2 * unit) >> 32); }
static uint64_t pick(uint64_t n) { return (draw() >> 32) * n >> 32; }

static uint64_t size, digest, delivered, last;
static uint64_t unmeasured; // deliveries before the clock starts
static clock_t began;

static void count(uint64_t node) {
	digest = (digest ^ node) * 0x100000001b3;
	if (++delivered == unmeasured) {
		digest = 0;
		began = clock();
	}
	if (delivered == last)
		Simulator::Stop();
}

template <typename... T> static ns3::EventId after(int64_t delay, T... handler) {
	return Simulator::Schedule(ns3::TimeStep(delay), handler...);
}

// W1: the increments are exponential.
static void hold(uint64_t node) {
	count(node);
	after(exponential(), &hold, node);
}

// W2 and W3.
static bool randomDelay;
static int64_t hop() { return randomDelay ? exponential() : unit; }

static void ring(uint64_t node, uint64_t value) {
	count(node);
	if (value > size - node)
		after(hop(), &ring, node + 1 == size ? 0 : node + 1, value);
}

// W5.
const uint64_t pholdNodes = 100000;

static void phold(uint64_t node) {
	count(node);
	uint64_t to = pick(pholdNodes);
	after(unit / 10 + exponential(), &phold, to);
}

// W6: a timer that is set again is cancelled and scheduled anew.
const uint64_t resetNodes = 10000;
static ns3::EventId timers[resetNodes];

static void expired(uint64_t node);

static void arm(uint64_t node) { timers[node] = after(150000000 + uniform() * 75 / 1000, &expired, node); }

static void expired(uint64_t node) {
	count(node);
	arm(node);
}

static void message(uint64_t node) {
	count(node);
	timers[node].Cancel();
	arm(node);
	uint64_t to = pick(resetNodes);
	after(100000 + exponential() / 1000, &message, to);
}

static void begin(const std::string &workload) {
	if (workload == "W1") {
		unmeasured = size;
		last = size + 1000000;
		for (uint64_t i = 0; i < size; i++)
			after(exponential(), &hold, i);
	} else if (workload == "W2" || workload == "W3") {
		randomDelay = workload == "W3";
		for (uint64_t i = 0; i < size; i++)
			after(hop(), &ring, (i + 1) % size, size - i);
	} else if (workload == "W4") {
		for (uint64_t i = 0; i < size; i++)
			for (uint64_t j = 0; j < size; j++)
				if (i != j)
					after(uniform(), &count, j);
	} else if (workload == "W5") {
		last = size;
		for (uint64_t i = 0; i < pholdNodes; i++)
			after(exponential(), &phold, i);
	} else if (workload == "W6") {
		last = size;
		for (uint64_t i = 0; i < resetNodes; i++) {
			after(exponential() / 1000, &message, i);
			arm(i);
		}
	}
}

int main(int argc, char **argv) {
	ns3::ObjectFactory scheduler;
	scheduler.SetTypeId(argv[1]);
	Simulator::SetScheduler(scheduler);
	size = std::stoull(argv[3]);
	for (int i = 0; i < 4096; i++)
		table[i] = int64_t(std::floor(-std::log(1 - (i + 0.5) / 4096) * 1e9 + 0.5));
	began = clock();
	begin(argv[2]);
	Simulator::Run();
	double ns = double(clock() - began) / CLOCKS_PER_SEC * 1e9;
	std::printf("%016lx %f\n", digest, ns / double(delivered - unmeasured));
}
