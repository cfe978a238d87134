"""Networks behind protocols: encoders, generators and the embedded model."""
