module example.org/nodes

go 1.26.0
