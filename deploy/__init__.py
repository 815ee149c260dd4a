"""What a deployment needs beside the code: locked requirements, containers, alerts, and what is known of packages."""
