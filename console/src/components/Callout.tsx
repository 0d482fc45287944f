import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

export const Callout = ({
  tone = 'warn',
  action,
  children,
}: {
  tone?: 'warn' | 'bad' | 'note';
  action?: ReactNode;
  children: ReactNode;
}) => (
  <div className={`callout ${tone}`}>
    <Icon name={tone === 'note' ? 'info' : 'warn'} />
    <span>{children}</span>
    {action !== undefined && <div className="controls">{action}</div>}
  </div>
);
