import type { Egress, Vetted } from '../../egress/egress.ts';
import { ProblemError } from '../../shared/problem.ts';

export type Vet = Egress['vet'];

type Rejected = Extract<Vetted, { kind: 'rejected' }>;

/** What is wrong, without a word on where a name leads. */
const faults: Readonly<Record<Rejected['reason'], string>> = {
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
  new ProblemError('WEBHOOK_URL_REJECTED', `The URL ${faults[reason]}.`, {
    errors: [{ pointer, detail: faults[reason] }],
  });

/** The URL as it is kept. Throws WEBHOOK_URL_REJECTED. */
export const accepted = (vetted: Vetted): string => {
  if (vetted.kind === 'accepted') return vetted.href;
  throw rejectedUrl(vetted.reason, '/url');
};
