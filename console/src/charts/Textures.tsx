import { useId } from 'react';
import type { Texture } from './palette.ts';
import type { Series } from './series.ts';

interface Styled extends Pick<Series, 'kind' | 'color'> {
  readonly texture?: Texture;
}

const patternOf = (id: string, { color, texture }: Styled): string =>
  `${id}-${texture}-${color.replaceAll(/\W/g, '')}`;

const isTextured = ({ kind, texture = 'solid' }: Styled): boolean => kind === 'named' && texture !== 'solid';

/**
 * Patterns say what colour alone must not: merged small groups are hatched, calls of nobody are dotted, and groups of the same
 * colour have lines in different directions.
 */
export const Textures = ({ id, of = [] }: { id: string; of?: readonly Styled[] }) => (
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
    {[...new Map(of.filter(isTextured).map((each) => [patternOf(id, each), each]))].map(([name, each]) => (
      <pattern key={name} id={name} width="5" height="5" patternUnits="userSpaceOnUse">
        <rect width="5" height="5" fill={each.color} />
        <rect
          width={each.texture === 'lines' ? 5 : 1.5}
          height={each.texture === 'lines' ? 1.5 : 5}
          fill="var(--surface)"
        />
      </pattern>
    ))}
  </defs>
);

export const fillOf = (style: Styled, id: string): string => {
  if (style.kind === 'folded') return `url(#${id}-hatch)`;
  if (style.kind === 'nobody') return `url(#${id}-dots)`;
  return isTextured(style) ? `url(#${patternOf(id, style)})` : style.color;
};

export const Swatch = ({ of }: { of: Styled }) => {
  const id = useId();
  const hasEdge = of.kind === 'folded' || of.kind === 'nobody';
  return (
    <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <Textures id={id} of={[of]} />
      <rect width="10" height="10" rx="3" fill={fillOf(of, id)} stroke={hasEdge ? of.color : 'none'} />
    </svg>
  );
};
