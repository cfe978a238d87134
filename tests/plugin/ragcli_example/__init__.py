"""One kind of everything that other packages can add to ragcli, one file each."""
