import { useId } from 'react';
import { formatShare } from '../../format/amount.ts';
import { fillOf, Textures } from '../Textures.tsx';

interface Part {
  readonly label: string;
  readonly share: number;
  readonly fill: { readonly kind: 'named' | 'nobody' | 'folded' | 'other'; readonly color: string };
}

/** Parts of a whole in one bar. */
export const ShareBar = ({ parts, height }: { parts: readonly Part[]; height: number }) => {
  const id = useId();
  const visible = parts.filter(({ share }) => share > 0);
  return (
    <div
      className="bar"
      style={{ height }}
      role="img"
      aria-label={
        visible.map(({ label, share }) => `${label} ${formatShare(share)}`).join(', ') || 'No parts'
      }
    >
      {visible.map(({ label, share, fill }, index) => (
        <svg key={label} style={{ flex: `${share} 0 3px` }} width="100%" height="100%" aria-hidden="true">
          <Textures id={`${id}${index}`} />
          <rect width="100%" height="100%" fill={fillOf(fill, `${id}${index}`)} />
        </svg>
      ))}
    </div>
  );
};
