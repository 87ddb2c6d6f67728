// Package medium describes a radio medium, which processes share, from a text such as
//
//	radio(1mbit, 50nJ/bit, 40nJ/bit)
//
// A transmission lasts as long as the rate takes for its bits, and costs its sender and each receiver that it
// reaches the energy of its bits. What transmissions do to each other is in package netem.
package medium
