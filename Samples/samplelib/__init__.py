"""Writers for the sample apps: Mach-O files, property lists, resources, archives and folders."""
