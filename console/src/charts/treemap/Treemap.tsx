import { Empty } from '../../components/reading/Empty.tsx';
import { formatAmount, type Measure } from '../../format/amount.ts';
import { HIDDEN } from '../../format/words.ts';
import { REST, type Style } from '../palette.ts';
import { usePalette } from '../usePalette.ts';
import { useWidth } from '../useWidth.ts';
import { HEADER, layoutTreemap, type Tile, type TreeNode } from './treemap.ts';

/** Owners with a colour of their own: the largest. */
const COLORED_OWNERS = 12;
/** Narrower tiles carry no text. */
const TEXT_MINIMUM = 56;
/** Narrower branches show their name without the amount. */
const AMOUNT_MINIMUM = 120;
const SLIVER_MAXIMUM = 8;
/** Smaller tiles are no buttons (WCAG 2.5.8). The filters reach them too. */
const TARGET_MINIMUM = 24;

const special: Readonly<Record<string, string>> = {
  ':folded': HIDDEN,
  ':nobody': 'Nobody named',
  ':other': 'All others',
};
const nameOf = (key: string): string => special[key] ?? key;

const totalOf = (node: TreeNode): number =>
  node.value ?? (node.children ?? []).reduce((total, child) => total + totalOf(child), 0);

const find = (tree: readonly TreeNode[], [key, ...rest]: readonly string[]): TreeNode | undefined => {
  const node = tree.find((each) => each.key === key);
  return rest.length === 0 ? node : find(node?.children ?? [], rest);
};

interface TreemapProps {
  readonly tree: readonly TreeNode[];
  readonly measure: Measure;
  readonly choose: (path: readonly string[]) => void;
}

/** So that a name above each owner and each service leaves room for the models. */
export const TREEMAP_HEIGHT = 520;

/** Areas by owner, service and model. A tile is a button that filters by its path. */
export const Treemap = ({ tree, measure, choose }: TreemapProps) => {
  const [box, width] = useWidth(900);
  const largest = tree
    .filter(({ key }) => !(key in special))
    .toSorted((one, other) => totalOf(other) - totalOf(one))
    .slice(0, COLORED_OWNERS);
  const styles = usePalette(['owner'])(largest.map(({ key }) => key));
  // Not by the number of tiles: there are none until the width is known.
  const isEmpty = tree.every((node) => totalOf(node) <= 0);
  return (
    <div className="treemap" ref={box} style={{ height: isEmpty ? 'auto' : TREEMAP_HEIGHT }}>
      {isEmpty && <Empty title="No amounts in this period">Choose other days, or remove a filter.</Empty>}
      {layoutTreemap(tree, width, TREEMAP_HEIGHT).map((tile) => (
        <TileView
          key={tile.path.join('\n')}
          tile={tile}
          style={styles.get(tile.path[0] ?? '') ?? REST}
          amount={formatAmount(totalOf(find(tree, tile.path) ?? { key: '' }).toFixed(12), measure)}
          choose={isTarget(tile) ? () => choose(tile.path) : undefined}
        />
      ))}
    </div>
  );
};

const heightOf = ({ isLeaf, height }: Tile): number => (isLeaf ? height : Math.min(height, HEADER));

const isTarget = (tile: Tile): boolean =>
  Math.min(tile.width, heightOf(tile)) >= TARGET_MINIMUM && !tile.path.some((key) => key.startsWith(':'));

interface TileViewProps {
  readonly tile: Tile;
  readonly style: Style;
  readonly amount: string;
  readonly choose: (() => void) | undefined;
}

const TileView = ({ tile, style: { color, texture }, amount, choose }: TileViewProps) => {
  const { x, y, width, height, path, isLeaf, key } = tile;
  const name = path.map(nameOf).join(', ');
  const classes = [
    'tile',
    isLeaf ? 'leaf' : `branch level${path.length}`,
    key.startsWith(':') ? 'merged' : texture,
    Math.min(width, height) < SLIVER_MAXIMUM ? 'sliver' : '',
  ];
  const style = { left: x, top: y, width, height: heightOf(tile), '--tile': color };
  const content = width >= TEXT_MINIMUM && height >= 18 && (
    <>
      <span className="cut">{nameOf(key)}</span>
      {(isLeaf ? height >= 40 : width >= AMOUNT_MINIMUM) && <span className="num">{amount}</span>}
    </>
  );
  return choose === undefined ? (
    <div
      className={classes.join(' ')}
      style={style}
      role="img"
      aria-label={`${name}: ${amount}`}
      title={`${name}: ${amount}`}
    >
      {content}
    </div>
  ) : (
    <button
      type="button"
      className={classes.join(' ')}
      style={style}
      title={`${name}: ${amount}`}
      aria-label={`${name}: ${amount}. Filter`}
      onClick={choose}
    >
      {content}
    </button>
  );
};
