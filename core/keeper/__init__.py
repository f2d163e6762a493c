"""One agent, one keeper, one journal: agents that outlive the dashboard they were started from."""
