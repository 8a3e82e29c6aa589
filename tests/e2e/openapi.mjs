// Answers held against the schemas of /openapi.json, strictly: a member that is not in the schema
// is a fault, too, and so is one of the schema that occurs nowhere.
import Ajv2020 from 'ajv/dist/2020.js';

const escape = (piece) => piece.replaceAll('~', '~0').replaceAll('/', '~1');

/** Every object with members has no others. */
function closed(schema) {
    if (schema === null || typeof schema !== 'object') return schema;
    if (Array.isArray(schema)) return schema.map(closed);
    const out = Object.fromEntries(Object.entries(schema).map(([k, v]) => [k, closed(v)]));
    if (schema.allOf) return { ...out, unevaluatedProperties: false };
    if (schema.properties && schema.type === 'object') out.unevaluatedProperties = false;
    return out;
}

/** In a problem's response, what is evaluated is known by its parts together. */
function opened(components) {
    const { problem } = components.schemas;
    delete problem.unevaluatedProperties;
    return components;
}

export class Contract {
    constructor(doc) {
        this.doc = doc;
        this.seen = new Set();
        const strict = closed(doc);
        opened(strict.components);
        this.ajv = new Ajv2020({ strict: false, allErrors: true,
            formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, binary: true } });
        this.ajv.addSchema({ ...strict, $id: 'api' });
        this.checks = new Map();
        this.paths = Object.keys(doc.paths).sort((a, b) => a.split('{').length - b.split('{').length)
            .map((path) => [path, new RegExp(`^${path.replace(/\{[^}]*\}/g, '[^/]+')}$`)]);
    }

    /** The operation of a request: {path, method, …}; undefined where it is not described. */
    operation(method, address) {
        const plain = address.split('?')[0].replace(/\.(csv|ndjson|json|pgn)$/, '');
        const path = this.paths.find(([, fits]) => fits.test(plain))?.[0];
        const described = this.doc.paths[path]?.[method.toLowerCase()];
        return described && { ...described, path, method: method.toLowerCase() };
    }

    resolve(pointer) {
        return pointer.slice(2).split('/').reduce((at, k) =>
            at[decodeURIComponent(k).replaceAll('~1', '/').replaceAll('~0', '~')], this.doc);
    }

    /** Where the schema of an answer is; undefined where no such answer is described. */
    place(operation, status, type) {
        let at = `#/paths/${escape(operation.path)}/${operation.method}/responses/${status}`;
        const response = operation.responses[status];
        if (response?.$ref) at = response.$ref;
        const content = this.resolve(at)?.content?.[type];
        if (!content) return undefined;
        const schema = `${at}/content/${escape(type)}/schema`;
        return content.schema.contentSchema ? `${schema}/contentSchema` : schema;
    }

    check(pointer) {
        if (!this.checks.has(pointer))
            this.checks.set(pointer, this.ajv.compile({ $ref: `api${pointer}` }));
        return this.checks.get(pointer);
    }

    /** Faults of an answer's body, as texts. `partial`: the request named the members it wants. */
    faults(operation, status, type, body, partial = false) {
        const pointer = this.place(operation, status, type);
        if (!pointer) return [`${status} ${type} is not described`];
        const check = this.check(pointer);
        this.mark(this.resolve(pointer), body);
        if (check(body)) return [];
        return check.errors.filter((e) => !(partial && e.keyword === 'required'))
            .map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
    }

    /** Notes which members occur. */
    mark(schema, value, name = '') {
        if (schema.$ref) return this.mark(this.resolve(schema.$ref), value, schema.$ref.split('/').pop());
        if (value === null || typeof value !== 'object') return undefined;
        for (const one of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) this.mark(one, value, name);
        if (Array.isArray(value)) return schema.items && value.forEach((one) => this.mark(schema.items, one, name));
        for (const [key, one] of Object.entries(value)) {
            const inner = schema.properties?.[key] ?? schema.additionalProperties;
            if (!inner) continue;
            if (schema.properties) this.seen.add(`${name}.${key}`);
            this.mark(inner, one);
        }
        return undefined;
    }

    /** "shape.member" of every one that did not occur. */
    unseen() {
        return Object.entries(this.doc.components.schemas).flatMap(([name, schema]) =>
            Object.keys(schema.properties ?? {}).map((key) => `${name}.${key}`))
            .filter((member) => !this.seen.has(member));
    }
}
