import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { UserFile } from '../../files/user-file.ts';

/** `timestamp`: microseconds, UTC. `json`: text. */
export type ColumnType = 'text' | 'int32' | 'int64' | 'double' | 'boolean' | 'timestamp' | 'json' | 'bytes';
export type Cell = string | number | bigint | boolean | Uint8Array | null;

/** One column: its type, and its cell of a row. Every column may hold null, for unknown values. */
export interface Column<Row> {
  type: ColumnType;
  of: (row: Row) => Cell;
}

export type Columns<Row> = Record<string, Column<Row>>;

const ELEMENTS: Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  bytes: { type: 'BYTE_ARRAY' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
};

/** Rows of one group, which memory holds until it is written. */
const GROUP_ROWS = 20_000;
/** And bytes of bodies, after which a group ends early. */
const GROUP_BYTES = 32 * 1024 * 1024;

function encoded(cell: Cell, type: ColumnType): Cell {
  const isLong = type === 'int64' || type === 'timestamp';
  return isLong && typeof cell === 'number' ? BigInt(Math.round(cell)) : cell;
}

/** A Parquet file, written a group of rows at a time: memory holds one group, regardless of the table's size. */
export class TableWriter<Row> {
  readonly #columns: [name: string, column: Column<Row>][];
  readonly #file: UserFile;
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;
  #cells: Cell[][];
  #held = 0;
  #rows = 0;

  /** Rejects like `UserFile.create`. */
  static async create<R>(path: string, columns: Columns<R>, creator: string): Promise<TableWriter<R>> {
    return new TableWriter(await UserFile.create(path), columns, creator);
  }

  private constructor(file: UserFile, columns: Columns<Row>, creator: string) {
    this.#file = file;
    this.#columns = Object.entries(columns);
    this.#cells = this.#columns.map(() => []);
    const fields = this.#columns.map(
      ([name, { type }]): SchemaElement => ({ name, ...ELEMENTS[type], repetition_type: 'OPTIONAL' }),
    );
    const schema: SchemaElement[] = [{ name: 'root', num_children: fields.length }, ...fields];
    this.#parquet = new ParquetWriter({ writer: this.#bytes, schema, createdBy: creator });
  }

  get rows(): number {
    return this.#rows;
  }

  async add(row: Row): Promise<void> {
    for (const [at, [, { type, of }]] of this.#columns.entries()) {
      const cell = encoded(of(row), type);
      if (cell instanceof Uint8Array) this.#held += cell.length;
      this.#cells[at]?.push(cell);
    }
    this.#rows += 1;
    if ((this.#cells[0]?.length ?? 0) >= GROUP_ROWS || this.#held >= GROUP_BYTES) await this.#writeGroup();
  }

  /** Resolves with the file's size in bytes when it is in place. */
  async finish(): Promise<number> {
    await this.#writeGroup();
    this.#parquet.finish();
    await this.#flush();
    return await this.#file.finish();
  }

  /** Removes the unfinished file. Never rejects. */
  discard(): Promise<void> {
    return this.#file.discard();
  }

  async #writeGroup(): Promise<void> {
    const [first] = this.#cells;
    if (first === undefined || first.length === 0) return;
    const columnData = this.#columns.map(([name], at) => ({ name, data: this.#cells[at] ?? [], offsetIndex: false }));
    this.#cells = this.#columns.map(() => []);
    this.#held = 0;
    this.#parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
    await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#file.write(this.#bytes.getBytes());
    // `offset`, which the file's footer needs, continues to count.
    this.#bytes.index = 0;
  }
}
