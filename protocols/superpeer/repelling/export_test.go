package repelling

// Root is looked at by itself.
var Root = root
