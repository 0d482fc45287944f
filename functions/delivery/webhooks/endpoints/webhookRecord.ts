import type { WebhookEndpoint } from '../../../../schemas/delivery/webhooks.ts';
import type { StoredEndpoint } from './endpoint.store.ts';

const orNullIfPast = (instant: string | null, now: number): string | null =>
  instant !== null && now < Date.parse(instant) ? instant : null;

/** The API representation of an endpoint at `now` (epoch milliseconds), without its secret. */
export const toWebhookRecord = (endpoint: StoredEndpoint, now: number): WebhookEndpoint => {
  const { id, url, description, events, max_batch_size, state } = endpoint;
  return {
    id,
    url,
    description,
    events,
    max_batch_size,
    status: state.status,
    disabled_reason: state.status === 'disabled' ? state.reason : null,
    disabled_at: state.status === 'disabled' ? state.disabled_at : null,
    failing_since: state.status === 'verified' ? state.failing_since : null,
    challenge_valid_until: state.status === 'pending' ? orNullIfPast(state.challenge.valid_until, now) : null,
    secret_rotated_at: endpoint.secret_rotated_at,
    previous_secret_valid_until: orNullIfPast(endpoint.previous_secret_valid_until, now),
    created_at: endpoint.created_at,
    updated_at: endpoint.updated_at,
    created_by: endpoint.created_by,
    authorized_by: endpoint.authorized_by?.id ?? null,
  };
};
