# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Access to a cluster: the secret that its processes share, and a first question to a standalone master.

PySpark passes every setting to its JVM on the command line, which each user of the machine can read. So the JVM gets
the secret in its environment, where Spark looks first (`_SPARK_AUTH_SECRET`); the setting that a standalone driver must
have besides holds a placeholder, which is what Spark sends to its executors. They get the secret from their worker.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]  # it ships no types
from pyspark import SparkConf, SparkContext

from fieldpost_receiver.config.settings import SparkSettings
from fieldpost_shared.codes import Code
from fieldpost_shared.errors import FieldpostError, SettingsError
from fieldpost_shared.secret import Secret

STANDALONE: Final = "spark://"
_ENVIRONMENT: Final = "_SPARK_AUTH_SECRET"
_PLACEHOLDER: Final = "in-the-environment"
_TRIES: Final = 2  # a master that ends while it is asked looks like one that refuses
_WAIT: Final = "20s"  # for a master that takes the connection and says nothing
# What the chain of causes holds when the other end wants another secret, one at all, or none.
_REFUSED: Final = re.compile(r"sasl|security|authenticat|outbox is stopped", re.IGNORECASE)


def access_settings(spark: SparkSettings) -> dict[str, str]:
    """Return Spark's settings for authentication, without the secret itself."""
    if not spark.on_cluster:
        return {"spark.authenticate": "true"}  # Spark makes the secret, which leaves no process
    if not spark.secret_file:
        return {}
    if spark.master.startswith(STANDALONE):
        return {"spark.authenticate": "true", "spark.authenticate.secret": _PLACEHOLDER}
    return {"spark.authenticate": "true", "spark.authenticate.secret.file": spark.secret_file}  # Kubernetes only


def join_standalone(spark: SparkSettings, settings: Mapping[str, str]) -> None:
    """Start the JVM of this process with the secret, and ask the masters whether they take it.

    Spark itself would try for a minute and then tell only that it was stopped.

    Raises:
        SettingsError: the secret file cannot be read, or a master refuses the secret, or wants one, or none.
        FieldpostError: UNEXPECTED: no master answers.
    """
    with _secret_in_environment(spark):
        SparkContext._ensure_initialized(conf=SparkConf().setAll(list(settings.items())))  # noqa: SLF001 - no other way
    answers = [_ask(address) for address in spark.master.removeprefix(STANDALONE).split(",")]
    if "" in answers:
        return
    refusals = [answer for answer in answers if _REFUSED.search(answer)]
    if refusals:
        raise SettingsError("spark.secret_file", _refusal(spark))
    raise FieldpostError(Code.UNEXPECTED, f"the Spark master at {spark.master} does not answer: {answers[0][:300]}")


def _refusal(spark: SparkSettings) -> str:
    if spark.secret_file:
        return (
            f"the Spark master at {spark.master} refuses the secret in {spark.secret_file}; start master and workers"
            " with spark.authenticate=true and the same secret"
        )
    return f"the Spark master at {spark.master} wants a secret; name the file that holds it"


@contextmanager
def _secret_in_environment(spark: SparkSettings) -> Iterator[None]:
    """Let a JVM that is started now find the secret, and nothing that is started later."""
    if not spark.secret_file:
        yield  # an operator's own way to authenticate stays as it is
        return
    os.environ[_ENVIRONMENT] = Secret.from_file(spark.secret_file, key="spark.secret_file").reveal()
    try:
        yield
    finally:
        del os.environ[_ENVIRONMENT]


def _ask(address: str) -> str:
    """Return "" if the master answers this process, else why not in Java's words."""
    host, _, port = address.rpartition(":")
    problem = ""
    for _ in range(_TRIES if port.isdecimal() else 0):  # of an address without a port Spark tells what is wrong
        try:
            _look_up_master(host, int(port))
        except Py4JJavaError as error:
            problem = _causes(error.java_exception)
        except (Py4JError, TypeError):  # another version of Spark may not let itself be asked: then it tries itself
            return ""
        else:
            return ""
    return problem


def _look_up_master(host: str, port: int) -> None:
    """Connect as Spark's own client of a master does."""
    jvm: Any = SparkContext._jvm  # noqa: SLF001 - it was started a moment ago
    spark = jvm.org.apache.spark
    conf = spark.SparkConf().set("spark.rpc.lookupTimeout", _WAIT)
    defaults = (getattr(spark.SecurityManager, f"$lessinit$greater$default${number}")() for number in (2, 3))
    security, only_client = spark.SecurityManager(conf, *defaults), True
    environment = spark.rpc.RpcEnv.create("fieldpost-check", host, 0, conf, security, only_client)
    try:
        environment.setupEndpointRef(spark.rpc.RpcAddress(host, port), "Master")
    finally:
        environment.shutdown()
        environment.awaitTermination()


def _causes(error: Any) -> str:  # noqa: ANN401 - a Java exception
    """Return the first lines of an exception's causes, the innermost first."""
    found: list[str] = []
    while error is not None:
        found.insert(0, str(error.toString()).partition("\n")[0])
        error = error.getCause()
    return "; ".join(found)
