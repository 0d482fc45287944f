import { WEBHOOK_PORTS } from '../../../../schemas/delivery/webhooks.ts';
import type { Egress, VetResult } from '../../../platform/egress/egress.ts';
import { hostOf } from '../../../platform/egress/target.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';

export type VetUrl = Egress['vet'];

type Rejected = Extract<VetResult, { kind: 'rejected' }>;

/** The texts disclose no address that a name resolves to. */
const rejectionDetails: Readonly<Record<Rejected['reason'], string>> = {
  malformed: 'is not a valid, unambiguous URL',
  hidden_characters: 'contains a space, a backslash or an invisible character',
  not_https: 'must begin with https://',
  user_information: 'must not contain user information',
  fragment: 'must not have a fragment',
  port: `must use port ${WEBHOOK_PORTS.join(' or ')}`,
  name: 'must name a public host',
  address: 'must resolve to public addresses only',
  unresolved: 'has a host name that does not resolve at the moment',
};

/** A WEBHOOK_URL_REJECTED problem for the URL at the JSON pointer `pointer`. The audit log names its host. */
export const rejectedUrl = (reason: Rejected['reason'], pointer: string, url: string | null): ProblemError =>
  new ProblemError('WEBHOOK_URL_REJECTED', `The URL ${rejectionDetails[reason]}.`, {
    errors: [{ pointer, detail: rejectionDetails[reason] }],
    refusedHost: url === null ? null : hostOf(url),
  });

/** The normalized URL that is stored. `url` is the submitted text. Throws WEBHOOK_URL_REJECTED. */
export const requireAllowedUrl = (vetted: VetResult, url: string): string => {
  if (vetted.kind === 'accepted') return vetted.href;
  throw rejectedUrl(vetted.reason, '/url', url);
};
