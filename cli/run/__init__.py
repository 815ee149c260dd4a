"""The commands that run a job in this process, and everything that shows what came of one."""
