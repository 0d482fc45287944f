import type { Egress, VetResult } from '../../egress/egress.ts';
import { ProblemError } from '../../shared/problem.ts';

export type VetUrl = Egress['vet'];

type Rejected = Extract<VetResult, { kind: 'rejected' }>;

/** What is wrong, without a word on where a name leads. */
const rejectionDetails: Readonly<Record<Rejected['reason'], string>> = {
  malformed: 'is not a URL that can be read in one way only',
  hidden_characters: 'holds a space, a backslash, or a character that cannot be seen',
  not_https: 'must begin with https://',
  user_information: 'must not hold user information',
  fragment: 'must not have a fragment',
  port: 'must use port 443',
  name: 'must name a public host',
  address: 'must lead to public addresses only',
  unresolved: 'names a host that does not resolve at the moment',
};

/** The refusal of a URL that stands at `pointer`. */
export const rejectedUrl = (reason: Rejected['reason'], pointer: string): ProblemError =>
  new ProblemError('WEBHOOK_URL_REJECTED', `The URL ${rejectionDetails[reason]}.`, {
    errors: [{ pointer, detail: rejectionDetails[reason] }],
  });

/** The URL as it is kept. Throws WEBHOOK_URL_REJECTED. */
export const requireAllowedUrl = (vetted: VetResult): string => {
  if (vetted.kind === 'accepted') return vetted.href;
  throw rejectedUrl(vetted.reason, '/url');
};
