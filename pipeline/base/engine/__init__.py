"""Where the parts of a stage are worked on: this process, processes of this machine, or a Ray cluster."""
