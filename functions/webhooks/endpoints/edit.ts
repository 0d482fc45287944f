import type { WebhookPatch, WebhookRequest } from '../../../schemas/routes/webhooks.ts';
import type { Authorization } from './authorization.ts';
import type { StoredEndpoint } from './endpoint.store.ts';
import { challenged, disabledByAdmin, enabled, type Standing } from './endpoint.ts';
import type { SealedChallenge } from './verification.ts';

const timestamp = (at: number): string => new Date(at).toISOString();

/** An endpoint as it is asked for; `at` is epoch milliseconds, `url` as it was vetted. */
export const newEndpoint = (
  { events, description }: WebhookRequest,
  making: {
    readonly id: string;
    readonly url: string;
    readonly sealedSecrets: string;
    readonly challenge: SealedChallenge;
    readonly at: number;
    readonly by: Authorization;
  },
): StoredEndpoint => ({
  id: making.id,
  url: making.url,
  description: description ?? null,
  events: [...events],
  standing: challenged(making.challenge.open),
  sealed_secrets: making.sealedSecrets,
  sealed_challenge: making.challenge.sealed,
  secret_rotated_at: null,
  previous_secret_valid_until: null,
  created_at: timestamp(making.at),
  updated_at: timestamp(making.at),
  created_by: making.by.id,
  authorized_by: making.by,
});

/** An endpoint in another standing; `challenge` is the one that a new challenge would be. */
export const standingAs = (
  endpoint: StoredEndpoint,
  standing: Standing,
  challenge: SealedChallenge,
): StoredEndpoint => {
  const isAsked = standing.status === 'pending' && standing.challenge === challenge.open;
  const kept = standing.status === 'pending' ? endpoint.sealed_challenge : null;
  return { ...endpoint, standing, sealed_challenge: isAsked ? challenge.sealed : kept };
};

/** What was proven was the URL before; a disabled endpoint stays disabled, and is asked when it is enabled. */
const movedTo = (standing: Standing, { open }: SealedChallenge): Standing =>
  standing.status === 'disabled' ? { ...standing, proven: false } : challenged(open);

/** Whether a patch decides what is sent or where to. Stopping the deliveries, or describing the endpoint, does not. */
export const isAuthorizing = ({ url, events, enabled: isEnabled }: WebhookPatch): boolean =>
  url !== undefined || events !== undefined || isEnabled === true;

/**
 * An endpoint after a JSON merge patch (RFC 7396), at `at` (epoch milliseconds); its `url` as it was vetted. `by`
 * authorizes the endpoint where the patch decides what is sent or where to.
 */
export const patchedEndpoint = (
  endpoint: StoredEndpoint,
  patch: WebhookPatch,
  making: { readonly challenge: SealedChallenge; readonly at: number; readonly by: Authorization },
): StoredEndpoint => {
  const { challenge, at, by } = making;
  const { url = endpoint.url, events = endpoint.events, description = endpoint.description } = patch;
  const moved = url === endpoint.url ? endpoint.standing : movedTo(endpoint.standing, challenge);
  const switched = patch.enabled === true ? enabled(moved, challenge.open) : moved;
  const standing = patch.enabled === false ? disabledByAdmin(switched, at) : switched;
  return {
    ...standingAs(endpoint, standing, challenge),
    url,
    events: [...events],
    description,
    updated_at: timestamp(at),
    authorized_by: isAuthorizing(patch) ? by : endpoint.authorized_by,
  };
};
