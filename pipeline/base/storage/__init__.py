"""What the store is made of: the manifest, writing that a crash cannot leave half done, errors of the disk."""
