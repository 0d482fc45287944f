import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import type { Tone } from './tone.ts';

const icons: Readonly<Record<Tone, IconName | undefined>> = {
  good: 'check',
  warn: 'warn',
  bad: 'cross',
  accent: undefined,
  plain: undefined,
};

/** A state in a word. The icon repeats the tone, so that colour is not its only sign. */
export const Pill = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => {
  const icon = icons[tone];
  return (
    <span className={`pill ${tone}`}>
      {icon !== undefined && <Icon name={icon} size={12} />}
      {children}
    </span>
  );
};
