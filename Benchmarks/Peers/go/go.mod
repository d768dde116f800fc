module client-go

go 1.19
