"""``croissant.json``: what the files of a suite are, for machines, by MLCommons Croissant 1.0 with its RAI terms."""

from __future__ import annotations

import json
from collections.abc import Mapping

from suitegen.publish.canonical import document
from suitegen.publish.manifest import Manifest
from suitegen.publish.tables import COLUMNS, CONFIGS, FLAT, Column, Config

FILE = "croissant.json"
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The names of the format, as its specification gives them."""
_TYPES: Mapping[Column, str] = {"text": "sc:Text", "int": "sc:Integer", "flag": "sc:Boolean", "texts": "sc:Text"}
_TURN = ("role", "name", "content")


def croissant(manifest: Manifest, sums: Mapping[str, str]) -> str:
    """The description of a suite.

    Args:
        manifest: the suite's.
        sums: path and SHA-256 of its files; the shards among them are described.
    """
    shards = {name: digest for name, digest in sums.items() if name.endswith(".parquet")}
    return document(
        {
            "@context": _CONTEXT,
            "@type": "sc:Dataset",
            "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
            "name": manifest.suite,
            "description": manifest.about or manifest.title,
            "version": manifest.version,
            "license": f"https://spdx.org/licenses/{manifest.license}.html",
            "inLanguage": manifest.language,
            "keywords": sorted({"agent memory", "benchmark", *(block.paradigm for block in manifest.blocks)}),
            "isLiveDataset": False,
            **_responsible(manifest),
            "distribution": [_file(name, digest) for name, digest in shards.items()],
            "recordSet": [_records(name) for name in shards],
        }
    )


def located(text: str, url: str) -> str:
    """The same description with the address at which the suite stands."""
    return document({**json.loads(text), "url": url})


def _responsible(manifest: Manifest) -> dict[str, object]:
    """The terms of responsible AI; each says what the build knows, and what did not run is not claimed."""
    ran = [line for line in manifest.gates if line.status != "not_run"]
    failed = [f"{line.gate}/{line.validator}" for line in ran if line.status == "failed"]
    origins = ", ".join(f"{line.origin} ({line.license})" for line in manifest.licenses)
    models = ", ".join(f"{role}: {name}" for role, name in sorted(manifest.models.items()))
    checked = f"{len(ran)} validators ran, {len(failed)} failed{': ' if failed else ''}{', '.join(failed)}"
    return {
        "rai:hasSyntheticData": True,
        "rai:dataCollection": (
            "The events and answers were drawn from declared lists and computed; the conversations were written around "
            f"them. Origins of the text: {origins or 'none'}."
        ),
        "rai:dataCollectionType": ["Synthetic"],
        "rai:dataPreprocessingProtocol": [f"Conversations that failed a check were written again. {checked}."],
        "rai:dataAnnotationProtocol": "Answers and evidence are computed from the timeline of events, by no annotator.",
        "rai:machineAnnotationTools": [
            *(f"{name} {version}" for name, version in sorted(manifest.versions.items())),
            *([f"language models: {models}"] if models else []),
        ],
        "rai:dataUseCases": ["Evaluation of the long-term memory of language model agents; not for training."],
        "rai:dataLimitations": [
            "Made up, not observed: a score says how a system handles these conditions, not how good it is at large."
        ],
        "rai:dataBiases": ["People, places and habits are those of the lists they were drawn from."],
        "rai:dataSocialImpact": "None is known; it holds no record of a real person's conversations by design.",
        "rai:personalSensitiveInformation": ["None by design: the people are made up."],
        "rai:dataReleaseMaintenancePlan": "Versions are tags that never move; CHANGELOG.md lists changes and errata.",
    }


def _file(name: str, digest: str) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _records(shard: str) -> dict[str, object]:
    """The rows of one shard: mostly all of a config."""
    config = next(known for known in (*CONFIGS, *FLAT) if known == shard.partition("/")[0])
    name = config if shard.endswith("-of-00001.parquet") else shard.removesuffix(".parquet")
    fields = [_field(name, shard, column, kind) for column, kind in COLUMNS[config].items()]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "description": _about(config), "field": fields}


def _about(config: Config) -> str:
    inputs = ("sessions", "questions")
    return f"Config {config}: {'input of a memory system' if config in inputs else 'holds answers or labels'}."


def _field(records: str, shard: str, column: str, kind: Column) -> dict[str, object]:
    head: dict[str, object] = {"@type": "cr:Field", "@id": f"{records}/{column}", "name": column}
    if kind != "turns":
        return {
            **head,
            "dataType": _TYPES[kind],
            "source": _source(shard, column),
            **({"repeated": True} if kind == "texts" else {}),
        }
    parts = [
        {
            "@type": "cr:Field",
            "@id": f"{records}/{column}/{part}",
            "name": part,
            "dataType": "sc:Text",
            "source": {**_source(shard, column), "transform": {"jsonPath": part}},
        }
        for part in _TURN
    ]
    return {**head, "repeated": True, "subField": parts}


def _source(shard: str, column: str) -> dict[str, object]:
    return {"fileObject": {"@id": shard}, "extract": {"column": column}}
