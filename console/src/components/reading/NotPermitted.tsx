import { type PageScope, whoMay } from '../../shell/whoMay.ts';

/** In place of the buttons that the role of the person does not include: who has them. */
export const NotPermitted = ({ scope, to }: { scope: PageScope; to: string }) => (
  <p className="quiet small">
    {whoMay[scope]} can {to}.
  </p>
);
