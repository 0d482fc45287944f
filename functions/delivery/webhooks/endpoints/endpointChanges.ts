import type { WebhookPatch, WebhookRequest } from '../../../../schemas/routes/delivery/webhooks.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Authorization } from '../../../platform/tenancy/authorization.ts';
import type { StoredEndpoint } from './endpoint.store.ts';
import { disableByAdmin, type EndpointState, enable, pendingState } from './endpointState.ts';
import type { SealedChallenge } from './sendChallenge.ts';

/** A new, pending endpoint. `at` is epoch milliseconds. `url` is the vetted URL. */
export const newEndpoint = (
  { events, description, max_batch_size = 1 }: WebhookRequest,
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
  max_batch_size,
  state: pendingState(context.challenge.open),
  sealed_secrets: context.sealedSecrets,
  sealed_challenge: context.challenge.sealed,
  secret_rotated_at: null,
  previous_secret_valid_until: null,
  created_at: toIso(context.at),
  updated_at: toIso(context.at),
  created_by: context.by.id,
  authorized_by: context.by,
});

/** An endpoint in a new state. `challenge` is stored only when the new state opens it. */
export const withState = (
  endpoint: StoredEndpoint,
  state: EndpointState,
  challenge: SealedChallenge,
): StoredEndpoint => {
  const isNewChallenge = state.status === 'pending' && state.challenge === challenge.open;
  const kept = state.status === 'pending' ? endpoint.sealed_challenge : null;
  return { ...endpoint, state, sealed_challenge: isNewChallenge ? challenge.sealed : kept };
};

/** A new URL must be verified again. A disabled endpoint stays disabled, and is challenged when it is enabled. */
const stateAfterUrlChange = (state: EndpointState, { open }: SealedChallenge): EndpointState =>
  state.status === 'disabled' ? { ...state, proven: false } : pendingState(open);

/** Whether a patch changes what is sent or where. A change of its state to disabled, description or batches does not. */
export const isAuthorizing = ({ url, events, enabled: isEnabled }: WebhookPatch): boolean =>
  url !== undefined || events !== undefined || isEnabled === true;

/**
 * An endpoint after a JSON merge patch (RFC 7396) at `at` (epoch milliseconds). `patch.url` is the vetted URL. `by`
 * becomes the authorization when the patch changes what is sent or where.
 */
export const patchEndpoint = (
  endpoint: StoredEndpoint,
  patch: WebhookPatch,
  context: { readonly challenge: SealedChallenge; readonly at: number; readonly by: Authorization },
): StoredEndpoint => {
  const { challenge, at, by } = context;
  const { url = endpoint.url, events = endpoint.events, description = endpoint.description } = patch;
  const { max_batch_size = endpoint.max_batch_size } = patch;
  const withUrl = url === endpoint.url ? endpoint.state : stateAfterUrlChange(endpoint.state, challenge);
  const enabled = patch.enabled === true ? enable(withUrl, challenge.open) : withUrl;
  const state = patch.enabled === false ? disableByAdmin(enabled, at) : enabled;
  return {
    ...withState(endpoint, state, challenge),
    url,
    events: [...events],
    description,
    max_batch_size,
    updated_at: toIso(at),
    authorized_by: isAuthorizing(patch) ? by : endpoint.authorized_by,
  };
};
