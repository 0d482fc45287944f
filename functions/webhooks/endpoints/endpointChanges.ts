import type { WebhookPatch, WebhookRequest } from '../../../schemas/routes/webhooks.ts';
import type { Authorization } from './authorization.ts';
import type { StoredEndpoint } from './endpoint.store.ts';
import { disableByAdmin, type EndpointState, enable, pendingState } from './endpointState.ts';
import type { SealedChallenge } from './sendChallenge.ts';

const timestamp = (at: number): string => new Date(at).toISOString();

/** An endpoint as it is asked for; `at` is epoch milliseconds, `url` as it was vetted. */
export const newEndpoint = (
  { events, description }: WebhookRequest,
  context: {
    readonly id: string;
    readonly url: string;
    readonly sealedSecrets: string;
    readonly challenge: SealedChallenge;
    readonly at: number;
    readonly by: Authorization;
  },
): StoredEndpoint => ({
  id: context.id,
  url: context.url,
  description: description ?? null,
  events: [...events],
  state: pendingState(context.challenge.open),
  sealed_secrets: context.sealedSecrets,
  sealed_challenge: context.challenge.sealed,
  secret_rotated_at: null,
  previous_secret_valid_until: null,
  created_at: timestamp(context.at),
  updated_at: timestamp(context.at),
  created_by: context.by.id,
  authorized_by: context.by,
});

/** An endpoint in another standing; `challenge` is the one that a new challenge would be. */
export const withState = (
  endpoint: StoredEndpoint,
  state: EndpointState,
  challenge: SealedChallenge,
): StoredEndpoint => {
  const isAsked = state.status === 'pending' && state.challenge === challenge.open;
  const kept = state.status === 'pending' ? endpoint.sealed_challenge : null;
  return { ...endpoint, state, sealed_challenge: isAsked ? challenge.sealed : kept };
};

/** What was proven was the URL before; a disabled endpoint stays disabled, and is asked when it is enabled. */
const stateAfterUrlChange = (state: EndpointState, { open }: SealedChallenge): EndpointState =>
  state.status === 'disabled' ? { ...state, proven: false } : pendingState(open);

/** Whether a patch decides what is sent or where to. Stopping the deliveries, or describing the endpoint, does not. */
export const isAuthorizing = ({ url, events, enabled: isEnabled }: WebhookPatch): boolean =>
  url !== undefined || events !== undefined || isEnabled === true;

/**
 * An endpoint after a JSON merge patch (RFC 7396), at `at` (epoch milliseconds); its `url` as it was vetted. `by`
 * authorizes the endpoint where the patch decides what is sent or where to.
 */
export const patchEndpoint = (
  endpoint: StoredEndpoint,
  patch: WebhookPatch,
  context: { readonly challenge: SealedChallenge; readonly at: number; readonly by: Authorization },
): StoredEndpoint => {
  const { challenge, at, by } = context;
  const { url = endpoint.url, events = endpoint.events, description = endpoint.description } = patch;
  const moved = url === endpoint.url ? endpoint.state : stateAfterUrlChange(endpoint.state, challenge);
  const switched = patch.enabled === true ? enable(moved, challenge.open) : moved;
  const standing = patch.enabled === false ? disableByAdmin(switched, at) : switched;
  return {
    ...withState(endpoint, standing, challenge),
    url,
    events: [...events],
    description,
    updated_at: timestamp(at),
    authorized_by: isAuthorizing(patch) ? by : endpoint.authorized_by,
  };
};
