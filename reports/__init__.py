"""What people read: pictures and pages, drawn from values that other rooms measured."""
