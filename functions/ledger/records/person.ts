import type { RuleTrace } from '../../../schemas/attribution/explanation.ts';
import { foldName } from '../../platform/shared/foldName.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Attribution } from './attribution.ts';
import { endUserOf, type StoredEvent } from './storedEvent.ts';
import type { Evidence } from './trace/evidence.ts';

/** A team or a package within an organization, such as `@acme/platform`. Never the name of a person. */
const SCOPED_NAME = /^@[^@/\s]+\/[^@\s]+$/;

/** Whether a label can be the address or the handle of a person. */
export const isAddress = (label: string): boolean => label.includes('@') && !SCOPED_NAME.test(label);

/**
 * The address in a name, wherever it is: `Ann Lee <ann@example.org>`, an ARN that ends with it, `user:ann@example.org:session-1`.
 * Sessions, devices and requests are often behind it, and each would count as a person.
 */
const ADDRESS = /([^\s"<>()[\]{},;:|/\\?=]+)@[^\s"<>()[\]{},;:|/\\?@]+\.[^\s"<>()[\]{},;:|/\\?@]+/;
/** What comes behind a path, and a remark such as `(contractor)`. */
const QUERY = /^([a-z][a-z0-9+.-]*:\/\/[^?#]*)[?#].*$/;
const REMARK = /(?<=\S)\s+[([][^()[\]]*[)\]]$/;
/** Quotes, brackets and punctuation around a name. */
const EDGES = /^[\s"'<([{]+|[\s"'>)\]};,.:/]+$/g;
/** The name in a distinguished name such as `cn=ann,ou=people`. */
const DISTINGUISHED = /^(?:.*[,;]\s*)?(?:cn|uid|upn|mail|email)\s*=\s*([^,;]+).*$/;
/** What says whose name it is: a scheme, an identity provider such as `auth0|`, and paths such as `user/`, ARNs and `DOMAIN\`. */
const QUALIFIER = /^.*[/\\|:](?=.)/;
/** A guest of a Microsoft directory: `ann_example.org#EXT#@…`. */
const GUEST = /^(.+?)(?:_[^_]*)?#ext#$/;
/** The letters and signs that URLs encode within the name of a person. */
const ENCODED = /%(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%[89ab][0-9a-f])+)/gi;

/** Invalid codes stay. */
const decoded = (name: string): string =>
  name.replace(ENCODED, (code) => {
    try {
      return decodeURIComponent(code);
    } catch {
      return code;
    }
  });

/** A mailbox without its `+` suffix, and a guest by the name in its own directory. */
const nameOfMailbox = (mailbox: string): string => mailbox.replace(/\+.*$/, '').replace(GUEST, '$1');

/**
 * The name by which a person is counted. Layers name one person in several ways: the application `ann`, the gateway
 * `Ann@example.org`, the cloud `user/ann`. Two persons with the same local part are counted as one, which hides more and
 * never less.
 */
export const personKey = (name: string): string => {
  const folded = foldName(decoded(name));
  if (SCOPED_NAME.test(folded)) return folded;
  const mailbox = folded.includes('@')
    ? nameOfMailbox(ADDRESS.exec(folded)?.[1]?.replace(EDGES, '') ?? '')
    : '';
  if (mailbox !== '') return mailbox;
  const bare = folded
    .replace(QUERY, '$1')
    .replace(REMARK, '')
    .replace(EDGES, '')
    .replace(DISTINGUISHED, '$1')
    .replace(QUALIFIER, '');
  const [local = '', domain] = bare.split('@');
  return (
    (domain === undefined ? local.replace(GUEST, '$1') : nameOfMailbox(local)) ||
    bare.replace(/^@/, '') ||
    folded
  );
};

/** Hex digits of a hash (48 bits): collisions within a tenant are very rare, and the value is exact in a double. */
export const PERSON_HASH_DIGITS = 12;

/** The digest includes the tenant id, so hashes of tenants cannot be compared. */
const digestOf = (...parts: readonly string[]): string =>
  sha256Of(...parts)
    .toString('hex')
    .slice(0, PERSON_HASH_DIGITS);

/** The hash of a person. Only hashes of persons are stored with sums. */
export const hashOfPerson = (tenantId: string, name: string): string =>
  digestOf('person', tenantId, personKey(name));

/** What can have made a call that names nobody: a key or else a workload. */
const CALLER_FIELDS = [
  ['api_key_name'],
  ['spiffe_id', 'k8s_cluster', 'k8s_namespace', 'k8s_workload'],
] as const;
type CallerFields = (typeof CALLER_FIELDS)[number];

const namesOf = (evidence: Partial<Evidence>, fields: CallerFields): string[] =>
  fields.map((field) => foldName(evidence[field] ?? ''));

/**
 * Whether an administrator declared the caller a service: a mapping that reads its name names a service, and no owner. A
 * mapping to an owner can translate the key of a person into the name of that person.
 */
const isDeclaredService = (rules: readonly RuleTrace[], fields: CallerFields): boolean =>
  rules.some(
    ({ rule, saw, owner, service }) =>
      rule === 'mapping' &&
      service !== undefined &&
      owner === undefined &&
      fields.some((field) => field in saw),
  );

/** What the trace of a call says of its caller, else what another record of the call says. */
const inheritedEvidence = ({ trace, same_call }: StoredEvent): Evidence | undefined =>
  trace?.source?.evidence ?? same_call?.evidence;

/**
 * The name of the person whom a call or its trace names. An owner that is an address is a person of the organization, whose
 * calls for many end users are still that person's. Any other owner with an end user is a team. An owner that is also the
 * service, such as a team of LiteLLM, names no person.
 */
const nameOfPerson = (storedEvent: StoredEvent): string | undefined => {
  const identity = storedEvent.attributed_identity ?? inheritedEvidence(storedEvent)?.attributed_identity;
  if (identity !== undefined && isAddress(identity)) return identity;
  return endUserOf(storedEvent) ?? (identity === storedEvent.attributed_service ? undefined : identity);
};

/**
 * The hash of the person whom a call counts as; null if it counts as nobody's. That is the person whom the call or its trace
 * names. A call that names nobody counts as one unknown person for each key or else workload, unless it is a declared
 * service, or else for each owner.
 */
export const personOf = ({ record, explanation, storedEvent }: Attribution): string | null => {
  const trace = inheritedEvidence(storedEvent) ?? {};
  const name = nameOfPerson(storedEvent);
  if (name !== undefined) return hashOfPerson(record.tenant_id, name);
  for (const evidence of [storedEvent, trace]) {
    for (const fields of CALLER_FIELDS) {
      const names = namesOf(evidence, fields);
      if (names.every((one) => one === '')) continue;
      const isService = evidence === storedEvent && isDeclaredService(explanation.rules, fields);
      return isService ? null : digestOf('unknown person', record.tenant_id, ...names);
    }
  }
  const { attributed_identity: owner } = storedEvent;
  return owner === undefined ? null : digestOf('unknown person', record.tenant_id, foldName(owner));
};
