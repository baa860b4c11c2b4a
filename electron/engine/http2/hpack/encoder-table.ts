import { DEFAULT_TABLE_SIZE, DynamicTable } from './dynamic-table.ts';
import { type Indexing, indexingOf } from './indexing-policy.ts';
import { STATIC_ENTRIES, STATIC_NAMES, STATIC_VALUES } from './static-table.ts';

/** A field's position: negative for the static table (the negated index), otherwise a dynamic table entry's number. */
type Place = number;

/** What the tables hold for one name. */
export interface KnownName {
  /** Null once evicted from both tables, which makes this object stale. */
  name: string | null;
  readonly indexing: Indexing;
  /** Its first index in the static table, 0 for none. */
  readonly staticIndex: number;
  /** Its newest dynamic table entry. Every name that is not in the static table has one. */
  newest: number;
  readonly places: Map<string, Place>;
  /** The last value found: most connections send the same one again. */
  lastValue: string | null;
  lastPlace: Place;
}

const STATIC_PLACES = new Map<string, { index: number; places: [string, Place][] }>();
for (let index = 1; index <= STATIC_ENTRIES; index++) {
  const name = STATIC_NAMES[index] as string;
  const place: [string, Place] = [STATIC_VALUES[index] as string, -index];
  const known = STATIC_PLACES.get(name);
  if (known) known.places.push(place);
  else STATIC_PLACES.set(name, { index, places: [place] });
}

/** The encoder's dynamic table, with both tables searchable by name and value. */
export class EncoderTable extends DynamicTable {
  /** Looked-up names of the static table and all names of the dynamic table, which bounds the size. */
  readonly #names = new Map<string, KnownName>();

  constructor() {
    super(DEFAULT_TABLE_SIZE);
  }

  /** Returns what is known of a name; undefined if neither table has it. */
  find(name: string): KnownName | undefined {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    return STATIC_PLACES.has(name) ? this.#know(name) : undefined;
  }

  /** The index of an entry with this name and value; 0 if there is none. */
  indexOf(known: KnownName, value: string): number {
    if (known.lastValue !== value) {
      const place = known.places.get(value);
      if (place === undefined) return 0;
      known.lastValue = value;
      known.lastPlace = place;
    }
    const place = known.lastPlace;
    return place < 0 ? -place : STATIC_ENTRIES + this.inserted - place;
  }

  /** The index of any entry with this name. */
  nameIndexOf(known: KnownName): number {
    return known.staticIndex === 0 ? STATIC_ENTRIES + this.inserted - known.newest : known.staticIndex;
  }

  override insert(name: string, value: string, size: number): boolean {
    if (!super.insert(name, value, size)) return false;
    const entry = this.inserted - 1;
    const known = this.#names.get(name) ?? this.#know(name);
    known.newest = entry;
    known.places.set(value, entry);
    known.lastValue = value;
    known.lastPlace = entry;
    return true;
  }

  protected override dropped(name: string, value: string, entry: number): void {
    const known = this.#names.get(name);
    if (known === undefined) return;
    known.places.delete(value);
    if (known.lastPlace === entry) known.lastValue = null;
    if (known.places.size === 0) {
      this.#names.delete(name);
      known.name = null;
    }
  }

  #know(name: string): KnownName {
    const fixed = STATIC_PLACES.get(name);
    const known: KnownName = {
      name,
      indexing: indexingOf(name),
      staticIndex: fixed?.index ?? 0,
      newest: -1,
      places: new Map(fixed?.places),
      lastValue: null,
      lastPlace: 0,
    };
    this.#names.set(name, known);
    return known;
  }
}
