import { useId } from 'react';
import type { Series } from './series.ts';

/** Patterns say what colour alone must not: merged small groups are hatched, calls of nobody are dotted. */
export const Textures = ({ id }: { id: string }) => (
  <defs>
    <pattern
      id={`${id}-hatch`}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width="6" height="6" fill="var(--surface)" />
      <rect width="2.6" height="6" fill="var(--c-folded)" />
    </pattern>
    <pattern id={`${id}-dots`} width="5" height="5" patternUnits="userSpaceOnUse">
      <rect width="5" height="5" fill="var(--surface)" />
      <circle cx="2.5" cy="2.5" r="1.15" fill="var(--c-nobody)" />
    </pattern>
  </defs>
);

type Styled = Pick<Series, 'kind' | 'color'>;

export const fillOf = ({ kind, color }: Styled, id: string): string => {
  if (kind === 'folded') return `url(#${id}-hatch)`;
  return kind === 'nobody' ? `url(#${id}-dots)` : color;
};

export const Swatch = ({ of }: { of: Styled }) => {
  const id = useId();
  const isTextured = of.kind === 'folded' || of.kind === 'nobody';
  return (
    <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <Textures id={id} />
      <rect width="10" height="10" rx="3" fill={fillOf(of, id)} stroke={isTextured ? of.color : 'none'} />
    </svg>
  );
};
