import type { ReactNode } from 'react';

/** Nothing yet: what it is for, and the first step. */
export const Empty = ({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <div className="empty">
    <h3>{title}</h3>
    <p>{children}</p>
    {action}
  </div>
);
