/** In place of the buttons that only administrators have. */
export const ForAdministrators = ({ to }: { to: string }) => (
  <p className="quiet small">An administrator can {to}.</p>
);
