"""Client of the Inference Attribution API."""
from .client import AsyncClient, Client
from .errors import ApiError, AttributionError, ConfigurationError, ConnectionFailedError, RateLimitError
from .lookup import Lookup
from .pages import AsyncPages, Pages
from .tracker import Tracker, TrackerStats
from .webhooks import WebhookVerificationError, challenge_answer, verify_webhook, verify_webhook_events

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncPages",
    "AttributionError",
    "Client",
    "ConfigurationError",
    "ConnectionFailedError",
    "Lookup",
    "Pages",
    "RateLimitError",
    "Tracker",
    "TrackerStats",
    "WebhookVerificationError",
    "challenge_answer",
    "verify_webhook",
    "verify_webhook_events",
]
