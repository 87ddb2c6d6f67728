// Package outside writes a fault plan as a shell script, for processes that run on hosts or in
// network namespaces of Linux. The script knows tc, iptables and kill. What these cannot do
// stands in it as a comment.
package outside
