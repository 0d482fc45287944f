import type { EventMembers } from './observedCall.ts';
import { memberAt, tagsOf, textAt } from './values.ts';

/** Keys of metadata that the caller of a model sets, in order of preference. */
const OWNER_KEYS = ['owner', 'team', 'cost_center'];
const END_USER_KEYS = ['end_user', 'user', 'user_id'];
const SERVICE_KEYS = ['service', 'application', 'app', 'project'];

function* pairsIn(metadata: object): Generator<string> {
  for (const key of Object.keys(metadata)) yield `${key}:${String(memberAt(metadata, key))}`;
}

/**
 * Owner, end user, service and tags in the metadata that a caller adds to its call, such as the request metadata of Bedrock and the
 * labels of Gemini. `path` leads to it.
 */
export const callerMetadata = (value: unknown, ...path: readonly string[]): EventMembers => {
  const first = (keys: readonly string[]): string | undefined =>
    keys.map((key) => textAt(value, ...path, key)).find((text) => text !== undefined);
  const metadata = memberAt(value, ...path);
  return {
    attributed_identity: first(OWNER_KEYS),
    end_user: first(END_USER_KEYS),
    attributed_service: first(SERVICE_KEYS),
    tags: typeof metadata === 'object' && metadata !== null ? tagsOf(pairsIn(metadata)) : undefined,
  };
};
